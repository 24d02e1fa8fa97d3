import DOM

extension Document {
  /// All text of the document, one line for each leaf, without list markers and other decoration.
  package var plainText: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + blocks.count)
    for block in blocks where !block.runs.isEmpty {
      let first = runs[Int(block.runs.lowerBound)].start
      let last = runs[Int(block.runs.upperBound) - 1].end
      result.append(contentsOf: text[Int(first)..<Int(last)])
      result.append(0x0A)
    }
    return result
  }

  /// Returns the text of a block.
  package func text(of block: Block) -> String {
    guard !block.runs.isEmpty else { return "" }
    let first = runs[Int(block.runs.lowerBound)].start
    let last = runs[Int(block.runs.upperBound) - 1].end
    return String(decoding: text[Int(first)..<Int(last)], as: UTF8.self)
  }

  /// Returns the text of a run.
  package func text(of run: Run) -> String {
    String(decoding: text[Int(run.start)..<Int(run.end)], as: UTF8.self)
  }
}

extension Document {
  /// Returns the text of a heading for an outline, on one line: without controls, unless only they
  /// contain letters, and without links in brackets at its end, such as `[edit]`.
  package func outlineText(of heading: Block) -> String {
    let indices = Array(heading.runs)
    let otherIndices = indices.filter { !runs[Int($0)].style.contains(.control) }
    let line = lineWithoutBracketedLinks(otherIndices)
    // A button may be the heading, after its number or symbol: "1. [What is it?]".
    let isComplete = line.contains(where: \.isLetter) || otherIndices.count == indices.count
    return isComplete ? line : lineWithoutBracketedLinks(indices)
  }

  /// Returns the text of runs on one line, without links in brackets after other text at its end.
  private func lineWithoutBracketedLinks(_ indices: [Int32]) -> String {
    var bytes: [UInt8] = []
    var links: [OptionalIndex] = []
    for index in indices {
      let run = runs[Int(index)]
      bytes += text[Int(run.start)..<Int(run.end)].map { $0 == 0x0A ? 0x20 : $0 }
      links += repeatElement(run.link, count: bytes.count - links.count)
    }
    var end = bytes.count
    if let last = bytes.lastIndex(where: { $0 != 0x20 }), bytes[last] == UInt8(ascii: "]"),
      let open = bytes[..<last].lastIndex(of: UInt8(ascii: "[")),
      let before = bytes[..<open].lastIndex(where: { $0 != 0x20 }),
      links[open...last].contains(where: { $0 != nil }),
      // In a link that is the whole heading, the brackets belong to the title.
      links[before] == nil || !links[open...last].contains(links[before]),
      (open...last).allSatisfy({ links[$0] != nil || !bytes[$0].isLetter && bytes[$0] < 0x80 })
    {
      end = open
    }
    let line = bytes[..<end].reversed().drop { $0 == 0x20 }.reversed()
    return String(decoding: line, as: UTF8.self)
  }
}
