extension Document {
  /// The amount of readable text of a page.
  package enum TextAmount: Sendable, Equatable {
    /// None, or only a notice that asks for JavaScript.
    case none
    /// Fewer than 60 words outside links: a heading, a line, a list of links.
    case little
    case enough
  }

  /// Whether there is nothing to read on the page: no text at all, or, on a page with scripts, fewer than five
  /// words beside what it says to browsers without them, or a few more that name JavaScript, as those do that
  /// ask for it.
  ///
  /// What stands in the place of images is no text. A long text for browsers without scripts is the page itself.
  package var isWithoutText: Bool { isWithoutText { $0.image < 0 } }

  /// How much text the page has besides the names of its frames and the URL to which it goes on by itself.
  package var ownText: TextAmount {
    let isOwn = links.map { $0.kind != .frame && $0.kind != .refresh }
    func isCounted(_ run: Run) -> Bool { run.image < 0 && (run.link < 0 || isOwn[Int(run.link)]) }
    if isWithoutText(countedIn: isCounted) { return .none }
    let count = countWords(in: { isCounted($0) && $0.link < 0 }) { $0.all >= Self.fewestOfText }
    return count.all >= Self.fewestOfText ? .enough : .little
  }

  private func isWithoutText(countedIn isCounted: (Run) -> Bool) -> Bool {
    let least = hasScripts ? Self.shortestText : 1
    func isEnough(_ count: WordCount) -> Bool {
      count.words >= least || count.withoutScripts >= Self.longNotice
    }
    let count = countWords(in: isCounted, until: isEnough)
    if isEnough(count) { return false }
    return count.words < Self.fewestWords || namesJavaScript
  }

  private struct WordCount {
    var words = 0
    /// Words in `noscript` elements; 0 on a page without scripts.
    var withoutScripts = 0
    var all: Int { words + withoutScripts }
  }

  /// Counts the words of some runs.
  /// - Parameters:
  ///   - isCounted: whether a run is counted.
  ///   - isEnough: asked after each word; ends the counting.
  /// - Returns: the number of words counted before the count ended.
  private func countWords(
    in isCounted: (Run) -> Bool, until isEnough: (WordCount) -> Bool
  ) -> WordCount {
    var count = WordCount()
    for block in blocks {
      var isInWord = false
      for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
      where isCounted(run) {
        for offset in run.start..<run.end {
          let byte = text[Int(offset)]
          let isPart = byte >= 0x80 ? isInWord || byte >= 0xC3 : Self.isWordCharacter(byte)
          // Of scripts without spaces each character is about a word: U+3040 and above, to U+D7FF.
          let begins = isPart && (!isInWord || (0xE3...0xED).contains(byte))
          isInWord = isPart
          guard begins else { continue }
          if hasScripts, withoutScripts.contains(where: { $0.contains(offset) }) {
            count.withoutScripts += 1
          } else {
            count.words += 1
          }
          if isEnough(count) { return count }
        }
      }
    }
    return count
  }

  /// Whether the text says "JavaScript", in any case.
  private var namesJavaScript: Bool {
    let name = Array("javascript".utf8)
    return text.indices.dropLast(name.count - 1).contains { start in
      zip(text[start...], name).allSatisfy { $0 | 0x20 == $1 }
    }
  }

  private static let fewestWords = 5
  /// Fewer words than this that name JavaScript ask for it.
  private static let shortestText = 20
  /// A text for browsers without scripts with so many words is no mere notice.
  private static let longNotice = 50
  /// Minimum number of words outside links of a page that counts as readable.
  private static let fewestOfText = 60

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
