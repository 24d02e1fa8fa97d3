// libxml2 before 2.14 parses HTML 4. This pass over the page rewrites what HTML5 parses
// differently; it only understands bytes, quotation marks and the ends of tags. Unused content is
// dropped, because libxml2 needs about a hundred instructions per byte of a tag: comments, the
// contents of scripts and styles, unknown attributes. All other bytes are copied unchanged.

/// Prepares the bytes of a page for libxml2, in parts that end between two tags.
///
/// The bytes must be UTF-8 without NUL, as `CharacterEncoding` returns them.
struct MarkupPreparation {
  /// The grammar of libxml2.
  enum Grammar {
    /// HTML 4, up to 2.13.
    case html4
    /// The tokenizer of the HTML standard, from 2.14.
    case html5
  }

  let grammar: Grammar
  /// Whether the page is XHTML: CDATA sections and `<br/>` syntax are allowed for any element.
  let isXML: Bool
  let pageBytes: UnsafeBufferPointer<UInt8>
  /// The approximate size of a part in bytes.
  let partSize: Int
  /// The current part, including the enclosing tags that libxml2 needs.
  var chunk: [UInt8] = []
  /// The ranges in the page of the contents of the part's script and style elements, in the order
  /// of their tags.
  var rawContentRanges: [Range<Int>] = []
  /// Hashes of unknown attribute names that occur in style rules of the page.
  var styledAttributeHashes: Set<UInt64> = []
  /// The index up to which the page has been processed.
  var processedEnd = 0
  /// The number of unclosed elements of the part.
  var depth = 0
  /// The number of unclosed `svg` and `math` elements.
  var foreignDepth = 0
  /// For each open boundary marked by comments, whether it is a placeholder of a streamed part; see
  /// `processComment`. Empty for most pages.
  var placeholderFlags: [Bool] = []

  /// The `lang` of the `html` element, or of the `body` element, which overrides it; nil if neither
  /// has one. It is read here because libxml2 does not report these tags in unexpected positions.
  var language: [UInt8]?
  /// The `dir` of the `html` element, or of the `body` element, which overrides it; nil if neither
  /// has one.
  var direction: [UInt8]?
  /// The attributes of the `html` and `body` elements.
  var rootAttributes = RootAttributes()
  /// The index from which processed bytes have not been copied to the part yet.
  private(set) var copiedEnd = 0

  /// The default part size in bytes, chosen to fit into the CPU cache.
  static let defaultPartSize = 1 << 17
  /// The maximum nesting depth of a part, equal to the limit of a tree. It also bounds the time of
  /// libxml2, which searches all open elements at each end tag.
  private static let maxDepth = TreeBuilder.maxDepth

  init(
    _ page: UnsafeBufferPointer<UInt8>, grammar: Grammar, isXML: Bool,
    partSize: Int = defaultPartSize
  ) {
    self.pageBytes = page
    self.grammar = grammar
    self.isXML = isXML
    self.partSize = partSize
  }

  /// Prepares the next part.
  /// - Returns: Whether there was one.
  mutating func prepareNextPart() -> Bool {
    guard processedEnd < pageBytes.count else { return false }
    chunk.removeAll(keepingCapacity: true)
    rawContentRanges.removeAll(keepingCapacity: true)
    depth = 0
    copiedEnd = processedEnd
    // Without these tags libxml2 drops text or wraps it into paragraphs.
    chunk.append("<html><body>")
    repeat {
      processedEnd = processText(from: processedEnd)
      if processedEnd < pageBytes.count { processMarkup() }
    } while processedEnd < pageBytes.count && depth < Self.maxDepth
      && chunk.count + processedEnd - copiedEnd < partSize
    copyInput(upTo: processedEnd)
    // Closes all open elements, so that libxml2 does not close them where the page has an end tag.
    if grammar == .html4 { chunk.append("</html>") }
    return true
  }

  // MARK: Output

  /// Copies processed bytes up to an index to the part.
  mutating func copyInput(upTo end: Int) {
    if end > copiedEnd {
      chunk.append(UnsafeBufferPointer(rebasing: pageBytes[copiedEnd..<end]))
    }
    copiedEnd = end
  }

  /// Drops a range.
  mutating func drop(_ range: Range<Int>) {
    copyInput(upTo: range.lowerBound)
    copiedEnd = range.upperBound
  }

  /// Replaces a range by other bytes.
  mutating func replace(_ range: Range<Int>, by bytes: StaticString) {
    drop(range)
    chunk.append(bytes)
  }

  /// Replaces a range by one or two code points; ASCII is written as a character reference, because
  /// it may be markup.
  mutating func replace(_ range: Range<Int>, by codePoint: UInt32, _ secondCodePoint: UInt32 = 0) {
    drop(range)
    if codePoint < 0x80 {
      chunk.append(contentsOf: "&#\(codePoint == 0x0C ? 0x20 : codePoint);".utf8)
    } else {
      chunk.append(codePoint: codePoint)
    }
    if secondCodePoint != 0 { chunk.append(codePoint: secondCodePoint) }
  }

  /// Reverts the output since a position, and drops the input from there.
  mutating func revertOutput(to start: (inputIndex: Int, copiedEnd: Int, partLength: Int)) {
    chunk.removeSubrange(start.partLength...)
    copiedEnd = start.copiedEnd
    drop(start.inputIndex..<processedEnd)
  }

  // MARK: Text

  /// Scans the text from an index, and repairs it if the grammar is HTML 4.
  /// - Returns: The index of the next `<`, or `pageBytes.count`.
  private mutating func processText(from start: Int) -> Int {
    guard grammar == .html4 else { return pageBytes.firstIndex(of: UInt8(ascii: "<"), from: start) }
    return repairText(start..<pageBytes.count, endsAtMarkup: true, hasReferences: true)
  }

  /// Rewrites references that HTML 4 parses differently or does not know, and control characters,
  /// for each of which libxml2 formats an error message.
  /// - Parameters:
  ///   - range: The text.
  ///   - endsAtMarkup: Whether the text ends at the next `<`; otherwise `<` is text.
  ///   - hasReferences: Whether an ampersand may begin a reference.
  /// - Returns: The index after the text.
  mutating func repairText(_ range: Range<Int>, endsAtMarkup: Bool, hasReferences: Bool) -> Int {
    let text = UnsafeBufferPointer(rebasing: pageBytes[..<range.upperBound])
    var index = range.lowerBound
    while true {
      index = text.firstIndexOfSpecial(from: index)
      guard index < text.count else { return index }
      switch text[index] {
      case UInt8(ascii: "<"):
        if endsAtMarkup { return index }
        replace(index..<index + 1, by: "&lt;")
        index += 1
      case UInt8(ascii: "&"):
        if hasReferences {
          index = repairReference(at: index, of: text, inAttribute: false)
        } else {
          replace(index..<index + 1, by: "&amp;")
          index += 1
        }
      default:
        replace(index..<index + 1, by: text[index] == 0x0C ? " " : "\u{FFFD}")
        index += 1
      }
    }
  }

  /// Rewrites the reference or literal ampersand at an index.
  /// - Returns: The index after it.
  mutating func repairReference(
    at start: Int, of text: UnsafeBufferPointer<UInt8>, inAttribute: Bool
  ) -> Int {
    guard let match = CharacterReferences.decode(text, at: start, inAttribute: inAttribute) else {
      replace(start..<start + 1, by: "&amp;")
      return start + 1
    }
    let end = start + match.length
    if !match.isHTML4Compatible {
      replace(start..<end, by: match.firstCodePoint, match.secondCodePoint)
    }
    return end
  }
}
