/// Parses the bytes of a page, whole or in chunks, into a `DOMTree`, as browsers do (HTML standard,
/// section 13.2), without scripts.
///
/// The bytes are UTF-8 without NUL, as `CharacterEncoding` makes them. Parsing cannot fail: what is
/// not HTML is text.
package struct DOMParser {
  private var tokenizer: Tokenizer
  /// The page so far.
  private var bytes: [UInt8] = []
  /// Up to where it was read.
  private var position = 0
  /// How many bytes there must be before an incomplete token is looked at again.
  private var patience = 0

  /// How many frames the page is in, each in the attribute of another one.
  private var depth = 0
  private static let depthLimit = 4

  /// - Parameter isXML: The page is XHTML: CDATA sections and `<br/>` for any element.
  package init(isXML: Bool = false) {
    tokenizer = Tokenizer(isXML: isXML)
  }

  /// Parses a whole page.
  package static func parse(_ bytes: consuming [UInt8], isXML: Bool = false) -> DOMTree {
    var parser = DOMParser(isXML: isXML)
    parser.tokenizer.builder.reserve(bytes.count)
    parser.bytes = bytes
    return parser.finish()
  }

  /// Takes the next bytes of the page.
  package mutating func push(_ chunk: [UInt8]) {
    bytes.append(contentsOf: chunk)
    guard bytes.count >= patience else { return }
    read(isLast: false)
    // A long token is not read again with each chunk.
    patience = bytes.count + (bytes.count - position)
  }

  /// Ends the page.
  package consuming func finish() -> DOMTree {
    read(isLast: true)
    tokenizer.builder.placeFeet()
    var tree = tokenizer.builder.tree
    tree.bytes = bytes
    tree.language = tokenizer.language.isEmpty ? tree.statedLanguage : tokenizer.language
    tree.direction = tokenizer.direction
    tree.styleSheet = tokenizer.styleSheet
    tree.structuredData = tokenizer.structuredData
    for frame in tokenizer.builder.frames {
      if let page = page(in: frame, of: tree) { tree.graft(page, to: frame) }
    }
    return tree
  }

  /// The page that a frame has in `srcdoc`.
  private func page(in frame: Int32, of tree: DOMTree) -> DOMTree? {
    guard depth < Self.depthLimit, let range = tree.attribute(.srcdoc, of: frame), !range.isEmpty
    else { return nil }
    var parser = DOMParser()
    parser.depth = depth + 1
    parser.bytes = Array(tree.bytes[range])
    return parser.finish()
  }

  private mutating func read(isLast: Bool) {
    let start = position
    var page: [UInt8] = []
    swap(&page, &bytes)
    position = page.withUnsafeMutableBufferPointer {
      tokenizer.run($0, from: start, isLast: isLast)
    }
    swap(&page, &bytes)
  }
}
