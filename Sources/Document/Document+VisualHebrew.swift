import DOM

// Hebrew in visual order, as pages in ISO-8859-8 contain it (RFC 1556): the characters of each line
// as they are seen from left to right.

extension Document {
  /// Puts the lines of a page in ISO-8859-8 into the order in which they are read, unless the page
  /// has them in this order in spite of its encoding.
  package mutating func reorderVisualHebrew() {
    guard isHebrewInVisualOrder else { return }
    var reorderedRuns: [Run] = []
    reorderedRuns.reserveCapacity(runs.count)
    var reorderedTabSizes: [Int32: UInt8] = [:]
    var controls = forms.controlSpans[...]
    for index in blocks.indices where !blocks[index].runs.isEmpty {
      let leaf = runs[Int(blocks[index].runs.lowerBound)..<Int(blocks[index].runs.upperBound)]
      let first = Int32(reorderedRuns.count)
      reorderedTabSizes[first] = tabSizes[blocks[index].runs.lowerBound]
      while let control = controls.first, control.end <= leaf[leaf.startIndex].start {
        controls.removeFirst()
      }
      let hasControl = controls.first.map { $0.start < leaf[leaf.endIndex - 1].end } ?? false
      let isContiguous = zip(leaf, leaf.dropFirst()).allSatisfy { $0.end == $1.start }
      if hasControl || !isContiguous {
        reorderedRuns += leaf
      } else {
        reorderedRuns += reorderLines(of: leaf)
      }
      blocks[index].runs = first..<Int32(reorderedRuns.count)
    }
    (runs, tabSizes, isolates) = (reorderedRuns, reorderedTabSizes, [])
    title = HebrewLine(text: title, run: 0).inReadingOrder.text
  }

  /// Puts the lines of a leaf into the order in which they are read. The text remains where it is.
  /// A leaf with a line that is longer than any in visual order remains unchanged.
  /// - Returns: The runs of the leaf in the new order.
  private mutating func reorderLines(of leaf: ArraySlice<Run>) -> [Run] {
    let start = Int(leaf[leaf.startIndex].start)
    // A copy, so that the text is not copied when it changes.
    let leafBytes = Array(text[start..<Int(leaf[leaf.endIndex - 1].end)])
    let longestLine = leafBytes.split(separator: 0x0A).map(\.count).max() ?? 0
    guard longestLine <= HebrewLine.maxLength else { return Array(leaf) }
    var result = ReorderedLeaf(leaf)
    var line = HebrewLine()
    for (index, run) in zip(leaf.indices, leaf) {
      let bytes = leafBytes[Int(run.start) - start..<Int(run.end) - start]
      if run.image != nil {
        line.units.append(HebrewLine.Unit(bytes: bytes, run: index, kind: .neutral))
        continue
      }
      var position = bytes.startIndex
      while let end = bytes[position...].firstIndex(of: 0x0A) {
        line.append(bytes[position..<end], run: index)
        result.append(line.inReadingOrder)
        line = HebrewLine(bytes: bytes[end...end], run: index)
        result.append(line)
        line.units.removeAll()
        position = end + 1
      }
      line.append(bytes[position...], run: index)
    }
    result.append(line.inReadingOrder)
    text.replaceSubrange(start..<start + leafBytes.count, with: result.text)
    return result.runs
  }

  /// Whether at most as many Hebrew words end with a letter of the form for the end of a word
  /// (ך, ם, ן, ף, ץ) as begin with one. False for a text without Hebrew.
  private var isHebrewInVisualOrder: Bool {
    var (first, last): (UInt8?, UInt8?) = (nil, nil)
    var (wordsInVisualOrder, otherWords) = (0, 0)
    var hasHebrew = false
    func endWord() {
      if let first, let last, first != last {
        if Self.finalHebrewLetters.contains(first) { wordsInVisualOrder += 1 }
        if Self.finalHebrewLetters.contains(last) { otherWords += 1 }
      }
      (first, last) = (nil, nil)
    }
    var index = 0
    while index < text.count {
      if text[index] == 0xD7, index + 1 < text.count {
        hasHebrew = true
        if first == nil { first = text[index + 1] }
        last = text[index + 1]
        index += 2
      } else {
        if first != nil { endWord() }
        index += 1
      }
    }
    endWord()
    return hasHebrew && wordsInVisualOrder >= otherWords
  }

  /// The second bytes of the letters in UTF-8.
  private static let finalHebrewLetters: Set<UInt8> = [0x9A, 0x9D, 0x9F, 0xA3, 0xA5]
}

/// The text and the runs of a leaf, to which lines in reading order are added.
private struct ReorderedLeaf {
  private(set) var text: [UInt8] = []
  private(set) var runs: [Document.Run] = []
  private let leaf: ArraySlice<Document.Run>
  /// The index of the run that contains the last character; nil before the first one.
  private var lastRun: Int?

  init(_ leaf: ArraySlice<Document.Run>) { self.leaf = leaf }

  mutating func append(_ line: HebrewLine) {
    for unit in line.units {
      let offset = leaf[leaf.startIndex].start + UInt32(text.count)
      if unit.run != lastRun {
        var run = leaf[unit.run]
        run.start = offset
        runs.append(run)
        lastRun = unit.run
      }
      text += unit.bytes
      runs[runs.count - 1].end = offset + UInt32(unit.bytes.count)
    }
  }
}

/// The characters of a line in visual order.
private struct HebrewLine {
  /// A character, or the text of an image.
  struct Unit {
    var bytes: ArraySlice<UInt8>
    /// The index of the run that contains the character.
    var run: Int
    var kind: Kind
  }

  /// The directions of characters (UAX 9) that are distinguished.
  enum Kind {
    case leftToRight, digit, rightToLeft, neutral
  }

  var units: [Unit] = []

  /// The maximum number of bytes of a line. A line in visual order is about as wide as a window.
  static let maxLength = 64 * 1024

  init() {}

  init(bytes: ArraySlice<UInt8>, run: Int) { append(bytes, run: run) }

  /// Appends the characters of a run.
  mutating func append(_ bytes: ArraySlice<UInt8>, run: Int) {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      // The other bytes of a character begin with the bits 10.
      let end = bytes[(start + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
      units.append(
        Unit(bytes: bytes[start..<end], run: run, kind: Self.kind(of: bytes[start..<end])))
      start = end
    }
  }

  init(text: String, run: Int) { self.init(bytes: Array(text.utf8)[...], run: run) }

  var text: String { String(decoding: units.flatMap(\.bytes), as: UTF8.self) }

  private static func kind(of bytes: ArraySlice<UInt8>) -> Kind {
    guard let first = bytes.first, first >= 0x80 else {
      let byte = bytes.first ?? 0x20
      return byte.isDigit ? .digit : byte.isLetter ? .leftToRight : .neutral
    }
    if first == 0xD6 || first == 0xD7 { return .rightToLeft }
    let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    return scalar?.properties.isAlphabetic == true ? .leftToRight : .neutral
  }

  /// The line in the order in which it is read: from right to left, except numbers and text in
  /// other scripts. A line without Hebrew does not change.
  var inReadingOrder: HebrewLine {
    guard units.contains(where: { $0.kind == .rightToLeft }),
      let first = units.firstIndex(where: { !$0.isSpace }),
      let last = units.lastIndex(where: { !$0.isSpace })
    else { return self }
    var parts: [ArraySlice<Unit>] = []
    var start = first
    while start <= last {
      let isLeftToRight = units[start].kind == .leftToRight || units[start].kind == .digit
      let end = isLeftToRight ? endOfLeftToRightText(from: start, to: last) : start + 1
      parts.append(isLeftToRight ? units[start..<end] : [units[start].mirrored])
      start = end
    }
    var line = HebrewLine()
    line.units = Array(units[..<first])
    for part in parts.reversed() { line.units += part }
    line.units += units[(last + 1)...]
    return line
  }

  /// Returns the end of the text that is read from left to right: words with the numbers after
  /// them, or a number with the separators in it.
  private func endOfLeftToRightText(from start: Int, to last: Int) -> Int {
    var end = start + 1
    var hasLetters = false
    for index in start...last {
      switch units[index].kind {
      case .rightToLeft: return end
      case .leftToRight: hasLetters = true
      case .digit:
        let isSeparated = index > end + 1 || index == end + 1 && !units[end].isNumberSeparator
        if isSeparated, !hasLetters { return end }
      case .neutral: continue
      }
      end = index + 1
    }
    return end
  }
}

extension HebrewLine.Unit {
  var isSpace: Bool { bytes.first == 0x20 }

  /// Whether the character may be between the digits of a number.
  var isNumberSeparator: Bool {
    bytes.count == 1 && bytes.allSatisfy { ",.:/".utf8.contains($0) }
  }

  /// The character with the bracket or quotation mark that opens replaced by the one that closes,
  /// and vice versa.
  fileprivate var mirrored: HebrewLine.Unit {
    guard kind == .neutral, bytes.count <= 2,
      let other = Self.pairs[String(decoding: bytes, as: UTF8.self)]
    else { return self }
    var unit = self
    unit.bytes = Array(other.utf8)[...]
    return unit
  }

  private static let pairs = [
    "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»",
    "»": "«",
  ]
}
