import DOM

// Programs in a page begin with what they are to show: `window.__STATE__ = {…}`, the same as
// `JSON.parse("…")`, or pieces that are pushed one by one, `(self.__next_f = …).push([1, "…"])`,
// which together are lines of `number:value`. Of a program nothing else is looked at.

/// The state that programs in a page begin with.
struct ProgramState {
  private(set) var texts: DataTexts
  /// What was pushed so far.
  private var pushed: [UInt8] = []

  /// - Parameter texts: Where the texts are collected.
  init(_ texts: DataTexts) {
    self.texts = texts
  }

  /// Reads a program.
  mutating func read(_ program: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while true {
      index = program.firstIndex(of: UInt8(ascii: "="), or: UInt8(ascii: "("), from: index)
      guard index < program.count else { return }
      let place = index
      index += 1
      if program[place] == UInt8(ascii: "=") {
        guard isGlobal(program, before: place) else { continue }
        index = readValue(program, from: program.indexBehindSpace(from: index))
      } else if place >= 5, program.hasPrefix(".push", at: place - 5) {
        index = readPush(program, from: index)
      }
    }
  }

  /// Reads what was pushed, and gives all texts.
  mutating func finish() -> DataTexts {
    pushed.withUnsafeBufferPointer { readLines($0) }
    return texts
  }

  /// Whether what stands before an equals sign is a name that all programs share: one of `window`, or
  /// with two underscores.
  private func isGlobal(_ program: UnsafeBufferPointer<UInt8>, before place: Int) -> Bool {
    var end = place
    while end > 0, program[end - 1].isWhiteSpace { end -= 1 }
    var start = end
    while start > 0, end - start < Self.longestName, program[start - 1].isInName { start -= 1 }
    let name = UnsafeBufferPointer(rebasing: program[start..<end])
    return Vocabulary.globals.contains { name.hasPrefix($0, at: 0) }
  }

  private static let longestName = 64

  /// - Returns: The index behind the value.
  private mutating func readValue(_ program: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard start < program.count else { return start }
    let rest = UnsafeBufferPointer(rebasing: program[start...])
    switch program[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return start + texts.read(rest, isOneValue: true)
    case UInt8(ascii: "(") where rest.hasPrefix("(function", at: 0):
      // What the function returns.
      return start + texts.read(rest)
    case UInt8(ascii: "J") where rest.hasPrefix("JSON.parse(", at: 0):
      let string = rest.indexBehindSpace(from: 11)
      return readString(program, from: start + string) ?? start + string
    default: return readString(program, from: start) ?? start
    }
  }

  /// Data in a string.
  private mutating func readString(_ program: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let string = program.string(at: start) else { return nil }
    let data = JSONStrings.decoded(UnsafeBufferPointer(rebasing: program[string]))
    if data.isData { data.withUnsafeBufferPointer { _ = texts.read($0) } }
    return string.upperBound + 1
  }

  /// Collects the string of `[1, "…"]`.
  private mutating func readPush(_ program: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = program.indexBehindSpace(from: start)
    guard index < program.count, program[index] == UInt8(ascii: "[") else { return index }
    index += 1
    while index < program.count, program[index].isDigit || program[index].isWhiteSpace {
      index += 1
    }
    guard index < program.count, program[index] == UInt8(ascii: ",") else { return index }
    index = program.indexBehindSpace(from: index + 1)
    guard let string = program.string(at: index) else { return index }
    pushed += JSONStrings.decoded(UnsafeBufferPointer(rebasing: program[string]))
    return string.upperBound + 1
  }

  /// Reads lines of `number:value`; `number:Tlength,text` is a text of so many bytes, which can have
  /// line feeds. All numbers are hexadecimal.
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
        texts.read(line)
        index = end + 1
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place of a string between its quotation marks.
  fileprivate func string(at start: Int) -> Range<Int>? {
    guard start < count, self[start] == UInt8(ascii: "\"") || self[start] == UInt8(ascii: "'"),
      let end = endOfString(at: start)
    else { return nil }
    return start + 1..<end
  }
}

extension UInt8 {
  /// Stands in the name of a variable or a member.
  fileprivate var isInName: Bool {
    isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
      || self == UInt8(ascii: "\"") || self == UInt8(ascii: "'")
  }
}
