extension Document {
  /// Whether there is nothing to read on the page: no text at all, or, on a page with scripts, fewer than five
  /// words beside what it says to browsers without them, or a few more that name JavaScript, as those do that
  /// ask for it.
  ///
  /// What stands in the place of images is no text. A long text for browsers without scripts is the page itself.
  package var isWithoutText: Bool {
    let least = hasScripts ? Self.shortestText : 1
    var words = 0
    var noscript = 0
    for block in blocks {
      var isInWord = false
      for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] where run.image < 0 {
        for offset in run.start..<run.end {
          let byte = text[Int(offset)]
          let isPart = byte >= 0x80 ? isInWord || byte >= 0xC3 : Self.isWordCharacter(byte)
          // Of scripts without spaces each character is about a word: U+3040 and above, to U+D7FF.
          let begins = isPart && (!isInWord || (0xE3...0xED).contains(byte))
          isInWord = isPart
          guard begins else { continue }
          if hasScripts, withoutScripts.contains(where: { $0.contains(offset) }) {
            noscript += 1
            if noscript >= Self.longNotice { return false }
          } else {
            words += 1
            if words >= least { return false }
          }
        }
      }
    }
    return words < Self.fewestWords || namesJavaScript
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

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
