import DOM

/// Repairs common faults in the JSON of pages: other text around it, such as a comment or a CDATA
/// section, several values in succession, line breaks and quotation marks in strings, strings in
/// single quotation marks, backslashes that escape nothing, no-break spaces and comments between
/// members, missing commas and values, commas without a member, and missing brackets at the end.
struct JSONRepair {
  private let source: ArraySlice<UInt8>
  private var output: [UInt8] = []
  /// The brackets that close the open objects and arrays.
  private var closingBrackets: [UInt8] = []
  /// The last byte of the output other than white space. It is a quotation mark after a string.
  private var last: UInt8 = 0
  /// The number of values at the top level.
  private var valueCount = 0

  private init(_ source: ArraySlice<UInt8>) {
    self.source = source
    output.reserveCapacity(source.count + 2)
  }

  /// Returns the repaired JSON; empty if a bracket closes another one than the last.
  static func repaired(_ source: ArraySlice<UInt8>) -> [UInt8] {
    // `<![CDATA[` itself contains brackets.
    let wrapped = source.prefix(64).firstRange(of: Array("<![CDATA[".utf8))
    var repair = JSONRepair(wrapped.map { source[$0.upperBound...] } ?? source)
    return repair.run() ? repair.output : []
  }

  private mutating func run() -> Bool {
    output.append(UInt8(ascii: "["))
    var index = source.startIndex
    while index < source.endIndex {
      let byte = source[index]
      let isOpening = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
      if closingBrackets.isEmpty, !isOpening {
        index += 1
      } else if Self.quotationMarks.contains(byte) {
        index = copyString(from: index)
      } else if let end = endOfComment(at: index) {
        index = end
      } else {
        guard copy(byte) else { return false }
        index += 1
      }
    }
    closeBrackets()
    if valueCount == 1 {
      output[0] = 0x20
    } else {
      output.append(UInt8(ascii: "]"))
    }
    return valueCount > 0
  }

  /// Adds the brackets that are missing at the end.
  private mutating func closeBrackets() {
    while let bracket = closingBrackets.last, copy(bracket) {}
  }

  /// Copies a byte outside strings and comments.
  /// - Returns: Whether it is not a bracket that closes nothing.
  private mutating func copy(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      beginValue()
      closingBrackets.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard closingBrackets.popLast() == byte else { return false }
      if last == UInt8(ascii: ",") { removeComma() }
      addMissingValue()
    case UInt8(ascii: ","):
      addMissingValue()
      // The second of two commas, and a comma directly after an opening bracket, are dropped.
      if [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(last) { return true }
    // The two bytes of a no-break space.
    case 0xC2, 0xA0: return true
    case _ where byte.isWhiteSpace:
      output.append(byte)
      return true
    default: break
    }
    output.append(byte)
    last = byte
    return true
  }

  /// Adds the comma that is missing before a value or the name of a member.
  private mutating func beginValue() {
    if closingBrackets.isEmpty { valueCount += 1 }
    let endsValue = [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(last)
    if endsValue { output.append(UInt8(ascii: ",")) }
  }

  private mutating func addMissingValue() {
    if last == UInt8(ascii: ":") {
      output += Array("null".utf8)
      last = UInt8(ascii: "l")
    }
  }

  /// Replaces the last comma of the output, which only white space follows, by a space.
  private mutating func removeComma() {
    if let comma = output.lastIndex(of: UInt8(ascii: ",")) { output[comma] = 0x20 }
  }

  /// Copies a string. Its quotation marks become double ones.
  /// - Parameter start: The index of its opening quotation mark.
  /// - Returns: The index after it.
  private mutating func copyString(from start: Int) -> Int {
    beginValue()
    output.append(UInt8(ascii: "\""))
    last = UInt8(ascii: "\"")
    let quotationMark = source[start]
    var index = start + 1
    while index < source.endIndex {
      let byte = source[index]
      if byte == quotationMark, endsString(at: index) {
        output.append(UInt8(ascii: "\""))
        return index + 1
      }
      if byte == UInt8(ascii: "\"") {
        output += [UInt8(ascii: "\\"), byte]
      } else if byte == UInt8(ascii: "\\"), index + 1 < source.endIndex {
        index += 1
        if Self.escapes.contains(source[index]) { output.append(byte) }
        output.append(max(source[index], 0x20))
      } else {
        output.append(max(byte, 0x20))
      }
      index += 1
    }
    return index
  }

  /// Whether a quotation mark ends a string: a comma, a colon, a bracket or a comment follows, or
  /// another string on a new line.
  private func endsString(at mark: Int) -> Bool {
    var (index, hasLineBreak) = (mark + 1, false)
    while index < source.endIndex {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"): return true
      case UInt8(ascii: "/"): return endOfComment(at: index) != nil
      case source[mark]: return hasLineBreak
      case 0xC2, 0xA0: break
      case _ where byte.isWhiteSpace: if byte == 0x0A || byte == 0x0D { hasLineBreak = true }
      default: return false
      }
      index += 1
    }
    return true
  }

  /// Returns the index after the comment that begins at an index; nil if none does.
  private func endOfComment(at start: Int) -> Int? {
    guard source[start] == UInt8(ascii: "/"), start + 1 < source.endIndex else { return nil }
    let rest = source[(start + 2)...]
    switch source[start + 1] {
    case UInt8(ascii: "/"):
      return rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? source.endIndex
    case UInt8(ascii: "*"):
      return rest.firstRange(of: Array("*/".utf8))?.upperBound ?? source.endIndex
    default: return nil
    }
  }

  private static let quotationMarks = Array(#""'"#.utf8)
  /// The characters after a backslash in a string (RFC 8259 §7).
  private static let escapes = Array(#""\/bfnrtu"#.utf8)
}
