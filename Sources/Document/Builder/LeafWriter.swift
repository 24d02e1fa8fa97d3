import DOM

/// The text of all leaf blocks so far, and the leaf that is being written. White space and line
/// breaks are not written before the text that follows them.
struct LeafWriter {
  /// The text so far.
  private(set) var text: [UInt8] = []
  /// The runs so far.
  private(set) var runs: [Document.Run] = []
  /// The targets of in-page links so far.
  private(set) var anchors: [Document.Anchor] = []

  /// White space between the text so far and the next text.
  private enum PendingSpace {
    case none, space
    /// White space that contains a line feed. It is removed between two ideographs.
    case lineFeed
  }

  /// The first run of the open leaf; nil if no leaf is open.
  private var firstRun: Int32?
  /// The white space before the next text of the leaf.
  private var pendingSpace = PendingSpace.none
  /// The number of line breaks (`br`) before the next text of the leaf.
  private var pendingBreakCount = 0
  /// The styles of the elements that ended last, and the length of the text at their end.
  private var lastEndedStyles: (styles: InlineStyle, textEnd: Int?) = ([], nil)
  /// The length of the text at the end of an element that is separated by a space from a following
  /// word: a date, or one of several adjacent links.
  private var separatedEnd: Int?
  /// The length of the text at the end of the last link.
  private var linkEnd: Int?
  /// The length of the text at the end of the last custom or unknown element.
  private var unknownElementEnd: Int?
  /// The length of the text at the end of the last formula.
  private var formulaEnd: Int?
  /// The offset in the text at which no space is inserted; nil for none.
  private var noSpaceOffset: Int?
  /// The length of the text when a pending space was added that is not in the page. Such a space is
  /// not written before closing punctuation.
  private var insertedSpaceEnd: Int?

  var isOpen: Bool { firstRun != nil }
  /// The length of the text so far.
  var textEnd: Int { text.count }
  /// Whether a space or line feed precedes the next text of the open leaf.
  var hasPendingSpace: Bool { pendingSpace != .none }

  /// The text of the open leaf; empty if none is open.
  var openText: ArraySlice<UInt8> {
    guard let firstRun, Int(firstRun) < runs.count else { return [] }
    return text[Int(runs[Int(firstRun)].start)...]
  }

  /// The last character of the open leaf if no white space is pending; otherwise nil.
  var lastCharacter: Character? {
    guard isOpen, !hasPendingSpace, pendingBreakCount == 0 else { return nil }
    let end = text.suffix(4)
    guard let start = end.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return nil }
    return String(decoding: end[start...], as: UTF8.self).first
  }

  mutating func reserveCapacity(text textLength: Int, runs runCount: Int) {
    text.reserveCapacity(textLength)
    runs.reserveCapacity(runCount)
  }

  // MARK: Leaves

  /// Opens a leaf for the text that follows.
  mutating func open() {
    firstRun = Int32(runs.count)
    dropPendingSpace()
    pendingBreakCount = 0
  }

  /// Closes the open leaf, and removes white space from its end.
  /// - Returns: The runs of the leaf; nil if it has none.
  mutating func close() -> Range<Int32>? {
    guard let first = firstRun else { return nil }
    trimEnd(from: first)
    firstRun = nil
    let end = Int32(runs.count)
    return end > first ? first..<end : nil
  }

  /// Returns the number of bytes of the text of consecutive runs.
  func length(of range: Range<Int32>) -> UInt32 {
    runs[Int(range.upperBound) - 1].end - runs[Int(range.lowerBound)].start
  }

  /// Removes white space from the end of a leaf, and moves the anchors in it to the new end.
  private mutating func trimEnd(from firstRun: Int32) {
    while let last = text.last, last == 0x0A || last == 0x20 || last == 0x09,
      runs.count > Int(firstRun)
    {
      removeLastByte()
    }
    let end = UInt32(text.count)
    for index in anchors.indices.reversed() {
      guard anchors[index].offset > end else { break }
      anchors[index].offset = end
    }
  }

  private mutating func removeLastByte() {
    text.removeLast()
    let run = runs.count - 1
    runs[run].end -= 1
    if runs[run].end == runs[run].start { runs.removeLast() }
  }

  /// Records a target of in-page links at the current position.
  mutating func addAnchor(_ name: String) {
    let offset = UInt32(text.count)
    if let last = anchors.last, last.offset == offset, last.name == name { return }
    anchors.append(Document.Anchor(name: name, offset: offset))
  }

  // MARK: White space

  /// Separates the next text of the open leaf by a space.
  mutating func addSpace() {
    if pendingSpace == .none { pendingSpace = .space }
  }

  /// Separates the next text by white space of the page.
  mutating func addWhiteSpace(isLineFeed: Bool) {
    if isLineFeed { pendingSpace = .lineFeed } else { addSpace() }
    insertedSpaceEnd = nil
  }

  /// Separates the next text, unless it is closing punctuation, by a space that is not in the page.
  mutating func insertSpace() {
    addSpace()
    insertedSpaceEnd = text.count
  }

  /// Separates an image or another object from the text before it by a space that is not in the
  /// page, unless white space is significant.
  mutating func insertSpaceBeforeImage(keepsWhiteSpace: Bool) {
    if !hasPendingSpace { insertedSpaceEnd = text.count }
    setSpace(!keepsWhiteSpace)
  }

  /// Adds or removes the space before the next text.
  mutating func setSpace(_ isSeparated: Bool) {
    if isSeparated { addSpace() } else { dropPendingSpace() }
  }

  /// Removes the white space before the next text.
  mutating func dropPendingSpace() { pendingSpace = .none }

  /// Prevents a space at the current position: after an added bracket, or before an exponent.
  mutating func forbidSpace() { noSpaceOffset = text.count }

  /// Separates the next text by a space if it is a word and directly follows a word.
  mutating func separateWords() {
    if isOpen, let last = text.last, last.isLetter || last.isDigit { separatedEnd = text.count }
  }

  /// Begins a line if the leaf is open.
  mutating func beginLine() {
    if isOpen { pendingBreakCount = max(pendingBreakCount, 1) }
  }

  /// Adds a line break.
  /// - Returns: The number of line breaks before the next text.
  mutating func addLineBreak() -> Int {
    dropPendingSpace()
    pendingBreakCount += 1
    return pendingBreakCount
  }

  /// Adds or removes the space before a text of the page, depending on the characters beside it.
  mutating func adjustSpace(before range: Range<Int>, of bytes: [UInt8], keepsWhiteSpace: Bool) {
    if pendingSpace == .lineFeed, removesLineFeed(before: bytes[range.lowerBound...]) {
      dropPendingSpace()
    }
    if insertedSpaceEnd == text.count, hasPendingSpace, bytes[range].beginsWithClosingPunctuation {
      dropPendingSpace()
    }
    if separatedEnd == text.count, isOpen, !keepsWhiteSpace,
      bytes[range.lowerBound].isLetter || bytes[range.lowerBound].isDigit
    {
      addSpace()
    }
  }

  /// Returns whether a line feed between the text so far and a text is removed because both sides
  /// are in scripts without spaces (CSS Text 3, section 4.1.3).
  private func removesLineFeed(before rest: ArraySlice<UInt8>) -> Bool {
    let next = rest.prefix(4)
    guard isOpen, let first = next.first, first >= 0xE2, runs.last?.image.value == nil
    else { return false }
    let length = first < 0xF0 ? 3 : 4
    guard IdeographicText.isSingleIdeograph(next.prefix(length)) else { return false }
    guard let start = text.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
    return IdeographicText.isSingleIdeograph(text[start...])
  }

  // MARK: Text

  /// Writes the pending line breaks or white space before the next text of the open leaf.
  mutating func writePendingSpace(style: InlineStyle, link: OptionalIndex) {
    if pendingBreakCount > 0 {
      writeLineBreaks(style, link)
    } else if hasPendingSpace {
      writeSpace(style, link)
    } else if lastEndedStyles.textEnd == text.count {
      separateKeys(style, link)
    }
  }

  /// Begins a run, unless the last one has the same style and link.
  mutating func beginRun(style: InlineStyle, link: OptionalIndex) {
    if let firstRun, runs.count > firstRun, case let last = runs[runs.count - 1],
      last.style == style, last.link == link, last.image == nil, !beginsAnotherScript(style)
    {
      return
    }
    let position = UInt32(text.count)
    runs.append(Document.Run(start: position, end: position, style: style, link: link))
  }

  /// Appends a range of the page to the current run.
  mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
    text.append(range, of: bytes)
    endRun()
  }

  /// Appends safe bytes to the current run.
  mutating func append(_ bytes: some Collection<UInt8>) {
    text.append(contentsOf: bytes)
    endRun()
  }

  private mutating func endRun() { runs[runs.count - 1].end = UInt32(text.count) }

  /// Begins text that is separated from its neighbours, such as the alternative text of an image.
  mutating func beginSeparatedText(keepsWhiteSpace: Bool) {
    let follows = hasPendingSpace && insertedSpaceEnd != text.count
    setSpace(!keepsWhiteSpace && (follows || !text.endsWithOpeningPunctuation))
  }

  /// Ends text that is separated from its neighbours.
  /// - Parameters:
  ///   - length: The number of bytes of the text.
  ///   - image: The image that the text represents, or nil. Its text is a run of its own.
  ///   - keepsWhiteSpace: Whether white space is significant.
  mutating func endSeparatedText(_ length: Int, image: Int32?, keepsWhiteSpace: Bool) {
    if let image {
      let last = runs[runs.count - 1]
      let start = last.end - UInt32(length)
      if last.start == start {
        runs[runs.count - 1].image = OptionalIndex(image)
      } else {
        runs[runs.count - 1].end = start
        runs.append(
          Document.Run(
            start: start, end: last.end, style: last.style, link: last.link,
            image: OptionalIndex(image)))
      }
    }
    setSpace(!keepsWhiteSpace)
    insertedSpaceEnd = text.count
  }

  /// Removes an opening bracket that was added at the current position, and closes the leaf if it
  /// has nothing else.
  mutating func removeBracket() {
    removeLastByte()
    if let firstRun, runs.count == Int(firstRun) { self.firstRun = nil }
  }

  /// Whether an opening bracket was added at the current position.
  var followsAddedBracket: Bool {
    text.count == noSpaceOffset && text.last == UInt8(ascii: "[")
  }

  // MARK: Ends of elements

  /// Whether a link ends at the current position.
  var followsLink: Bool { linkEnd == text.count }
  mutating func recordLinkEnd() { linkEnd = text.count }

  /// Whether a custom or unknown element ends at the current position.
  var followsUnknownElement: Bool { unknownElementEnd == text.count }
  mutating func recordUnknownElementEnd() { unknownElementEnd = text.count }

  /// Whether a formula ends at the current position.
  var followsFormula: Bool { formulaEnd == text.count }
  mutating func recordFormulaEnd() {
    formulaEnd = text.count
    // An empty script at the end of the formula must not affect the text after it.
    if !followsAddedBracket { noSpaceOffset = nil }
  }

  /// Styles with a visible boundary, so that two adjacent elements must not be merged.
  private static let stylesWithBoundary: InlineStyle = [.code, .keyboard, .subscript, .superscript]

  /// Records that elements with the given styles end at the current position.
  mutating func recordStyleEnd(of styles: InlineStyle) {
    let styles = styles.intersection(Self.stylesWithBoundary)
    guard !styles.isEmpty else { return }
    let textEnd = text.count
    lastEndedStyles = (
      lastEndedStyles.textEnd == textEnd ? lastEndedStyles.styles.union(styles) : styles, textEnd
    )
  }

  /// Returns whether the next text is in another superscript or subscript than the text directly
  /// before it. Such texts are separate runs: an exponent and a note, for example.
  private func beginsAnotherScript(_ style: InlineStyle) -> Bool {
    let scripts: InlineStyle = [.subscript, .superscript]
    return lastEndedStyles.textEnd == text.count
      && !lastEndedStyles.styles.intersection(style).isDisjoint(with: scripts)
  }

  /// Separates two adjacent `kbd` elements by a zero-width space, which allows a line break.
  private mutating func separateKeys(_ style: InlineStyle, _ link: OptionalIndex) {
    guard lastEndedStyles.styles.contains(.keyboard), style.contains(.keyboard) else { return }
    lastEndedStyles.textEnd = nil
    beginRun(style: style.subtracting(.keyboard), link: link)
    append("\u{200B}".utf8)
  }

  /// Writes the pending line breaks, in the style and link that both sides have in common, so that
  /// links, images and styles with delimiters end before them. Subscripts and superscripts always
  /// do.
  private mutating func writeLineBreaks(_ style: InlineStyle, _ link: OptionalIndex) {
    let last = runs[runs.count - 1]
    var both = last.style.intersection(style).subtracting([.subscript, .superscript, .image])
    if lastEndedStyles.textEnd == text.count {
      both.subtract(lastEndedStyles.styles.intersection(.keyboard))
    }
    let sharedLink: OptionalIndex = last.link == link ? link : nil
    if both != last.style || sharedLink != last.link || last.image != nil {
      runs.append(Document.Run(start: last.end, end: last.end, style: both, link: sharedLink))
    }
    for _ in 0..<pendingBreakCount { text.append(0x0A) }
    endRun()
    pendingBreakCount = 0
    dropPendingSpace()
  }

  /// Writes the space between two words, in the style that both sides have in common, so that links
  /// and underlines do not end in a space. Adjacent elements with visible boundaries do not share
  /// it.
  private mutating func writeSpace(_ style: InlineStyle, _ link: OptionalIndex) {
    dropPendingSpace()
    let last = runs[runs.count - 1]
    if let byte = text.last, byte == 0x0A || byte == 0x20 { return }
    if text.count == noSpaceOffset { return }
    let position = UInt32(text.count)
    var both = last.style.intersection(style)
    if lastEndedStyles.textEnd == text.count { both.subtract(lastEndedStyles.styles) }
    let shared = Document.Run(
      start: position, end: position + 1, style: both, link: last.link == link ? link : nil)
    text.append(0x20)
    if shared.style == last.style, shared.link == last.link, last.image == nil {
      runs[runs.count - 1].end += 1
    } else {
      runs.append(shared)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the text begins with punctuation that follows a word without a space.
  fileprivate var beginsWithClosingPunctuation: Bool {
    switch first {
    case 0x21, 0x25, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D: true  // ! % ) , . : ; ? ] }
    case 0xC2: starts(with: "»".utf8)
    case 0xE2: ["’", "”", "…"].contains { starts(with: $0.utf8) }
    default: false
    }
  }
}

extension [UInt8] {
  /// Whether the text ends with punctuation that precedes a word without a space.
  fileprivate var endsWithOpeningPunctuation: Bool {
    switch last {
    case 0x28, 0x5B, 0x7B: true  // ( [ {
    default: ["“", "„", "«", "‘"].contains { suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
  }
}
