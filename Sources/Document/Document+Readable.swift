import DOM

extension Document {
  /// The amount of readable text on a page.
  package enum TextAmount: Sendable, Equatable {
    /// None, or only a notice that asks for JavaScript.
    case none
    /// Fewer than 60 words outside links, such as a heading, a line or a list of links.
    case little
    case enough
  }

  /// Whether there is nothing to read on the page.
  ///
  /// A page without scripts must have no text at all. A page with scripts must have fewer than five
  /// words outside `noscript`, or fewer than 20 if its text contains "JavaScript", such as a
  /// request to enable JavaScript.
  ///
  /// The alternative text of images does not count. At least 50 words in `noscript` elements are
  /// considered the content of the page.
  package var isWithoutText: Bool { isWithoutText { $0.image == nil } }

  /// The amount of text on the page, not counting the names of frames and the URL of a `meta
  /// refresh`.
  package var textAmount: TextAmount {
    let isOwn = links.map { $0.kind != .frame && $0.kind != .refresh }
    func isCounted(_ run: Run) -> Bool {
      run.image == nil && (run.link.value.map { isOwn[$0] } ?? true)
    }
    if isWithoutText(countedIn: isCounted) { return .none }
    let count = countWords(in: { isCounted($0) && $0.link == nil }) {
      $0.total >= Self.minReadableWordCount
    }
    return count.total >= Self.minReadableWordCount ? .enough : .little
  }

  private func isWithoutText(countedIn isCounted: (Run) -> Bool) -> Bool {
    let requiredWordCount = hasScripts ? Self.minWordCountWithJavaScript : 1
    func isEnough(_ count: WordCount) -> Bool {
      count.count >= requiredWordCount || count.noScriptCount >= Self.minNoScriptWordCount
    }
    let count = countWords(in: isCounted, until: isEnough)
    if isEnough(count) { return false }
    return count.count < Self.minWordCount || mentionsJavaScript
  }

  private struct WordCount {
    var count = 0
    /// Words in `noscript` elements; 0 on a page without scripts.
    var noScriptCount = 0
    var total: Int { count + noScriptCount }
  }

  /// Counts the words of some runs.
  /// - Parameters:
  ///   - isCounted: Returns whether a run is counted.
  ///   - isEnough: Called after each word; returns true to stop counting.
  /// - Returns: The number of words counted until then.
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
          // In scripts without spaces (U+3040 to U+D7FF) each character counts as a word.
          let begins = isPart && (!isInWord || (0xE3...0xED).contains(byte))
          isInWord = isPart
          guard begins else { continue }
          if hasScripts, noScriptRanges.contains(where: { $0.contains(offset) }) {
            count.noScriptCount += 1
          } else {
            count.count += 1
          }
          if isEnough(count) { return count }
        }
      }
    }
    return count
  }

  /// Whether the text contains "JavaScript", ignoring case.
  private var mentionsJavaScript: Bool {
    let name = Array("javascript".utf8)
    return text.indices.dropLast(name.count - 1).contains { start in
      zip(text[start...], name).allSatisfy { $0 | 0x20 == $1 }
    }
  }

  private static let minWordCount = 5
  /// Pages with fewer words than this that contain "JavaScript" are assumed to ask for it.
  private static let minWordCountWithJavaScript = 20
  /// Minimum number of words in `noscript` elements that are content rather than a notice.
  private static let minNoScriptWordCount = 50
  /// Minimum number of words outside links of a page that counts as readable.
  private static let minReadableWordCount = 60

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
