/// Parses the bytes of a page into a `DOMTree` as browsers do without scripts (HTML standard
/// §13.2): libxml2 tokenizes the markup, and `TreeBuilder` constructs the tree.
///
/// The bytes must be UTF-8 without NUL, as `CharacterEncoding` returns them. Parsing cannot fail:
/// whatever is not HTML is text.
package enum DOMParser {
  /// The maximum nesting depth of pages in attributes of frames, including the outermost page.
  private static let maxFrameDepth = 5

  /// Parses a page.
  /// - Parameters:
  ///   - bytes: The page.
  ///   - isXML: Whether it is XHTML: CDATA sections and `<br/>` syntax are allowed for any element.
  ///   - encoding: The encoding from which the page was decoded, in which the queries of its
  ///     references are encoded.
  /// - Returns: The tree.
  package static func parse(
    _ bytes: consuming [UInt8], isXML: Bool = false, encoding: CharacterEncoding = .utf8
  ) -> DOMTree {
    parse(bytes, isXML: isXML, encoding, frameDepth: 1)
  }

  private static func parse(
    _ bytes: consuming [UInt8], isXML: Bool, _ encoding: CharacterEncoding, frameDepth: Int
  ) -> DOMTree {
    var (tree, frames) = buildTree(of: bytes, isXML: isXML)
    tree.encodeQueries(in: encoding)
    if tree.language.isEmpty { tree.language = tree.declaredLanguage }
    guard frameDepth < maxFrameDepth else { return tree }
    for frame in frames {
      guard let source = tree.pageInAttributes(ofFrame: frame) else { continue }
      let page = parse(source, isXML: false, .utf8, frameDepth: frameDepth + 1)
      let offset = Int32(tree.nodes.count) - 1
      tree.graft(page, to: frame)
      tree.limitStyles(of: page, toFrame: frame, offset: offset)
    }
    return tree
  }

  /// Builds the tree of a page without the pages in its frames.
  /// - Parameters:
  ///   - bytes: The page.
  ///   - isXML: Whether it is XHTML.
  ///   - partSize: The approximate number of bytes that libxml2 parses at once.
  ///   - read: Parses a part and sends its events to the receiver.
  /// - Returns: The tree, and the frames in it, which may have pages in their attributes.
  static func buildTree(
    of bytes: [UInt8], isXML: Bool = false, partSize: Int = MarkupPreparation.defaultPartSize,
    read: (UnsafeBufferPointer<UInt8>, MarkupReceiver) -> Void = {
      LibXML2.parse($0, into: $1)
    }
  ) -> (tree: DOMTree, frames: [Int32]) {
    var sink = TokenSink(isXML: isXML, byteCount: bytes.count)
    let root = bytes.withUnsafeBufferPointer { page in
      var preparation = MarkupPreparation(
        page, grammar: LibXML2.grammar, isXML: isXML, partSize: partSize)
      while preparation.prepareNextPart() {
        sink.beginPart(rawContentRanges: preparation.rawContentRanges, of: page)
        preparation.chunk.withUnsafeBufferPointer { part in
          withUnsafeMutablePointer(to: &sink) { read(part, TreeReceiver($0)) }
        }
      }
      return (
        language: preparation.language, direction: preparation.direction,
        attributes: preparation.rootAttributes
      )
    }
    var (tree, frames) = sink.finish()
    tree.language = root.language ?? []
    tree.direction = root.direction ?? []
    if !root.attributes.isEmpty { tree.rootElements = RootElements(root.attributes) }
    return (tree, frames)
  }
}
