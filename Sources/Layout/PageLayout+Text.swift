import Document

extension PageLayout {
  /// Returns the lines as UTF-8, each terminated by a line feed.
  package func plainText() -> [UInt8] {
    let count = lines.reduce(lines.count) { $0 + Int($1.end - $1.start) }
    return text.withUnsafeBytes { text in
      [UInt8](unsafeUninitializedCapacity: count) { result, end in
        let result = UnsafeMutableRawBufferPointer(result)
        for line in lines {
          let bytes = UnsafeRawBufferPointer(rebasing: text[Int(line.start)..<Int(line.end)])
          UnsafeMutableRawBufferPointer(rebasing: result[end...]).copyMemory(from: bytes)
          end += bytes.count
          result[end] = .lineFeed
          end += 1
        }
      }
    }
  }

  /// Returns the text of a line.
  package func text(of line: Line) -> String {
    String(decoding: text[Int(line.start)..<Int(line.end)], as: UTF8.self)
  }

  /// Returns the runs of a line with their byte ranges in `text`.
  package func runs(ofLine index: Int) -> [(run: Run, bytes: Range<Int>)] {
    let line = lines[index]
    var result: [(run: Run, bytes: Range<Int>)] = []
    var start = Int(line.start)
    var position = Int(line.firstRun)
    while start < Int(line.end), position < runs.count {
      let end = min(Int(runs[position].end), Int(line.end))
      result.append((runs[position], start..<end))
      start = end
      position += 1
    }
    return result
  }

  /// Returns the lines with escape sequences for their styles, each terminated by a line feed.
  /// - Parameters:
  ///   - style: Returns the SGR escape sequence that turns a style on; an empty string for plain
  ///     text.
  ///   - hyperlink: Returns the URI of a link for OSC 8; nil to write no hyperlink.
  /// - Returns: The text as UTF-8.
  package func styledText(
    style: (TextStyle) -> [UInt8], hyperlink: (Int32) -> [UInt8]? = { _ in nil }
  ) -> [UInt8] {
    let reset = Array("\u{1B}[0m".utf8)
    var looks: [TextStyle: [UInt8]] = [:]
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 2)
    for index in lines.indices {
      for (run, bytes) in runs(ofLine: index) {
        let sequence = looks[run.style] ?? style(run.style)
        looks[run.style] = sequence
        let target = run.target?.linkIndex.flatMap(hyperlink)
        if let target { result += Array("\u{1B}]8;;".utf8) + target + [0x1B, 0x5C] }
        result += sequence
        result += text[bytes]
        if !sequence.isEmpty { result += reset }
        if target != nil { result += Array("\u{1B}]8;;\u{1B}\\".utf8) }
      }
      result.append(.lineFeed)
    }
    return result
  }
}
