// libxml2 before 2.14 reads HTML 4. What HTML5 reads differently is hidden from it here, in one pass
// over the page that knows bytes, quotes and the ends of tags. What nobody reads is left out, since
// libxml2 takes about a hundred instructions for a byte of a tag: comments, the contents of scripts and
// styles, attributes outside of the vocabulary. All other bytes are handed on as they stand.

/// The bytes of a page, made ready for libxml2 in parts that end between two tags.
///
/// The bytes are UTF-8 without NUL, as `CharacterEncoding` makes them.
struct MarkupPreparation {
  /// How libxml2 reads.
  enum Grammar {
    /// As HTML 4, until 2.13.
    case html4
    /// As the tokenizer of the HTML standard, from 2.14 on.
    case html5
  }

  let grammar: Grammar
  /// The page follows the rules of XML: CDATA sections and `<br/>` for any element.
  let isXML: Bool
  /// The bytes of the page.
  let page: UnsafeBufferPointer<UInt8>
  /// About how many bytes a part has.
  let partSize: Int
  /// The part, with the tags that libxml2 needs around it.
  var part: [UInt8] = []
  /// Where in the page the contents of the part's script and style elements stand, in the order of
  /// their tags.
  var bodies: [Range<Int>] = []
  /// Hashes of the attributes that rules of the page name and the project does not know.
  var namesInRules: Set<UInt64> = []
  /// Up to where the page was read.
  var index = 0
  /// How many more elements have begun than ended in the part.
  var depth = 0
  /// How many more `svg` and `math` elements have begun than ended.
  var foreignDepth = 0
  /// Which of the boundaries that comments mark and that are open wait for a part of the page; see
  /// `readComment`. Most pages have none.
  var placeholders: [Bool] = []

  /// The `lang` and `dir` of the html element, and of the body, which is inside it. libxml2 says nothing
  /// of those that it does not expect.
  var language: [UInt8]?
  var direction: [UInt8]?
  /// From where on what was read goes into the part as it stands.
  private(set) var kept = 0

  /// Parts of that size stay in the cache of the processor.
  static let partSize = 1 << 17
  /// libxml2 looks through all that is open at an end tag; trees are no deeper than this.
  private static let depthLimit = TreeBuilder.depthLimit

  init(
    _ page: UnsafeBufferPointer<UInt8>, grammar: Grammar, isXML: Bool, partSize: Int = partSize
  ) {
    self.page = page
    self.grammar = grammar
    self.isXML = isXML
    self.partSize = partSize
  }

  /// Makes the next part.
  /// - Returns: Whether there was one.
  mutating func makePart() -> Bool {
    guard index < page.count else { return false }
    part.removeAll(keepingCapacity: true)
    bodies.removeAll(keepingCapacity: true)
    depth = 0
    kept = index
    // Without these libxml2 leaves out text, or makes paragraphs of it.
    part.append("<html><body>")
    repeat {
      index = readText(from: index)
      if index < page.count { readMarkup() }
    } while index < page.count && depth < Self.depthLimit && part.count + index - kept < partSize
    keep(upTo: index)
    // Whatever is open ends with this tag; so no end that libxml2 makes stands where the page has one.
    if grammar == .html4 { part.append("</html>") }
    return true
  }

  // MARK: What goes into the part

  /// Hands on what was read before an index.
  mutating func keep(upTo end: Int) {
    if end > kept {
      part.append(UnsafeBufferPointer(rebasing: page[kept..<end]))
    }
    kept = end
  }

  /// Leaves a range out.
  mutating func leaveOut(_ range: Range<Int>) {
    keep(upTo: range.lowerBound)
    kept = range.upperBound
  }

  /// Puts bytes in the place of a range.
  mutating func replace(_ range: Range<Int>, by bytes: StaticString) {
    leaveOut(range)
    part.append(bytes)
  }

  /// Puts a character in the place of a range; one that may be markup as a reference.
  mutating func replace(_ range: Range<Int>, by character: UInt32, _ second: UInt32 = 0) {
    leaveOut(range)
    if character < 0x80 {
      part.append(contentsOf: "&#\(character == 0x0C ? 0x20 : character);".utf8)
    } else {
      part.append(codePoint: character)
    }
    if second != 0 { part.append(codePoint: second) }
  }

  /// Takes back what was handed on since a place was read, and leaves out what was read there.
  mutating func takeBack(to start: (place: Int, kept: Int, count: Int)) {
    part.removeSubrange(start.count...)
    kept = start.kept
    leaveOut(start.place..<index)
  }

  // MARK: Text

  /// - Returns: The index of the next `<`.
  private mutating func readText(from start: Int) -> Int {
    guard grammar == .html4 else { return page.firstIndex(of: UInt8(ascii: "<"), from: start) }
    return repairText(start..<page.count, isMarkup: true, hasReferences: true)
  }

  /// Repairs text: references that HTML 4 reads differently or not at all, and control characters, for
  /// each of which libxml2 words an error.
  /// - Parameters:
  ///   - range: The text.
  ///   - isMarkup: The text ends with a `<`; otherwise one is text.
  ///   - hasReferences: An ampersand may begin a reference.
  /// - Returns: The index past it.
  mutating func repairText(_ range: Range<Int>, isMarkup: Bool, hasReferences: Bool) -> Int {
    let text = UnsafeBufferPointer(rebasing: page[..<range.upperBound])
    var index = range.lowerBound
    while true {
      index = text.firstIndexOfSpecial(from: index)
      guard index < text.count else { return index }
      switch text[index] {
      case UInt8(ascii: "<"):
        if isMarkup { return index }
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

  /// Repairs the reference, or the bare ampersand, at a place.
  /// - Returns: The index past it.
  mutating func repairReference(
    at start: Int, of text: UnsafeBufferPointer<UInt8>, inAttribute: Bool
  ) -> Int {
    guard let match = CharacterReferences.read(text, at: start, inAttribute: inAttribute) else {
      replace(start..<start + 1, by: "&amp;")
      return start + 1
    }
    let end = start + match.length
    if !match.isHTML4 { replace(start..<end, by: match.first, match.second) }
    return end
  }
}
