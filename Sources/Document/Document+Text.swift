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
