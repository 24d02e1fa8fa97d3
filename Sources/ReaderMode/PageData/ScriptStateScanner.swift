import DOM

// Scripts in a page often begin with the data to show: `window.__STATE__ = {…}`, `JSON.parse("…")`,
// or chunks that are pushed one by one, `(self.__next_f = …).push([1, "…"])`, which together form
// lines of `number:value`. Only these patterns are searched for.

/// The initial state in the scripts of a page.
struct ScriptStateScanner {
  private(set) var texts: DataTexts
  private var pushedChunks: [UInt8] = []

  /// Creates a scanner that adds the texts it finds to others.
  init(_ texts: DataTexts) {
    self.texts = texts
  }

  /// Scans a script.
  mutating func read(_ program: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while true {
      index = program.firstIndex(of: UInt8(ascii: "="), or: UInt8(ascii: "("), from: index)
      guard index < program.count else { return }
      let position = index
      index += 1
      if program[position] == UInt8(ascii: "=") {
        guard assignsGlobal(program, before: position) else { continue }
        index = readValue(program, from: program.indexAfterSpace(from: index))
      } else if position >= 5, program.hasPrefix(".push", at: position - 5) {
        index = collectPushedString(program, from: index)
      }
    }
  }

  /// Scans the pushed chunks and returns all texts.
  mutating func finish() -> DataTexts {
    pushedChunks.withUnsafeBufferPointer { readLines($0) }
    return texts
  }

  /// Whether the left side of an assignment is a global variable: a property of `window`, `self` or
  /// `globalThis`, or a name that begins with two underscores.
  private func assignsGlobal(_ program: UnsafeBufferPointer<UInt8>, before position: Int) -> Bool {
    var end = position
    while end > 0, program[end - 1].isWhiteSpace { end -= 1 }
    var start = end
    while start > 0, end - start < Self.maxNameLength, program[start - 1].mayBePartOfName {
      start -= 1
    }
    let name = UnsafeBufferPointer(rebasing: program[start..<end])
    return Vocabulary.globalVariablePrefixes.contains { name.hasPrefix($0, at: 0) }
  }

  private static let maxNameLength = 64

  /// Scans the value that is assigned to a variable.
  /// - Returns: The index after the value.
  private mutating func readValue(_ program: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard start < program.count else { return start }
    let rest = UnsafeBufferPointer(rebasing: program[start...])
    switch program[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return start + texts.scan(rest, stopsAfterValue: true)
    case UInt8(ascii: "(") where rest.hasPrefix("(function", at: 0):
      // The value that the function returns is somewhere in it.
      return start + texts.scan(rest)
    case UInt8(ascii: "J") where rest.hasPrefix("JSON.parse(", at: 0):
      let string = rest.indexAfterSpace(from: 11)
      return readString(program, from: start + string) ?? start + string
    default: return readString(program, from: start) ?? start
    }
  }

  /// Scans data in a string literal.
  /// - Returns: The index after the literal; nil if there is none.
  private mutating func readString(_ program: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let string = program.stringLiteralRange(at: start) else { return nil }
    let data = JSONStrings.decoded(UnsafeBufferPointer(rebasing: program[string]))
    if data.looksLikeJSON { data.withUnsafeBufferPointer { _ = texts.scan($0) } }
    return string.upperBound + 1
  }

  /// Collects the string of `[1, "…"]`.
  private mutating func collectPushedString(_ program: UnsafeBufferPointer<UInt8>, from start: Int)
    -> Int
  {
    var index = program.indexAfterSpace(from: start)
    guard index < program.count, program[index] == UInt8(ascii: "[") else { return index }
    index += 1
    while index < program.count, program[index].isDigit || program[index].isWhiteSpace {
      index += 1
    }
    guard index < program.count, program[index] == UInt8(ascii: ",") else { return index }
    index = program.indexAfterSpace(from: index + 1)
    guard let string = program.stringLiteralRange(at: index) else { return index }
    pushedChunks += JSONStrings.decoded(UnsafeBufferPointer(rebasing: program[string]))
    return string.upperBound + 1
  }

  /// Scans lines of `number:value`. `number:Tlength,text` is a text of the given number of bytes,
  /// which may contain line feeds. All numbers are hexadecimal.
  private mutating func readLines(_ lines: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < lines.count {
      let end = lines.firstIndex(of: 0x0A, from: index)
      let line = UnsafeBufferPointer(rebasing: lines[index..<end])
      let colon = line.firstIndex(of: UInt8(ascii: ":"), from: 0)
      let comma = line.prefix(colon + 12).firstIndex(of: UInt8(ascii: ",")) ?? 0
      if colon < 8, colon + 2 < comma, line[colon + 1] == UInt8(ascii: "T"),
        let length = Int(String(decoding: line[(colon + 2)..<comma], as: UTF8.self), radix: 16),
        length > 0
      {
        let start = index + comma + 1
        index = min(lines.count, start + length)
        texts.add(Array(lines[start..<index]))
      } else {
        texts.scan(line)
        index = end + 1
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the range of a string literal at an index, without its quotation marks; nil if there
  /// is none.
  fileprivate func stringLiteralRange(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\"") || self[start] == UInt8(ascii: "'"),
      let end = endOfString(at: start)
    else { return nil }
    return start + 1..<end
  }
}

extension UInt8 {
  /// Whether the byte may be part of a variable or member expression.
  fileprivate var mayBePartOfName: Bool {
    isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
      || self == UInt8(ascii: "\"") || self == UInt8(ascii: "'")
  }
}
