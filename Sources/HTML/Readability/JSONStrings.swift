/// The strings in a text of JSON, with the key before each.
struct JSONStrings {
  private let json: ArraySlice<UInt8>
  private var index: Int
  private var last: ArraySlice<UInt8> = []

  init(_ json: ArraySlice<UInt8>) {
    self.json = json
    index = json.startIndex
  }

  /// The next string that is a value, undecoded; nil at the end.
  mutating func next() -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    while let start = json[index...].firstIndex(of: UInt8(ascii: "\"")) {
      var end = start + 1
      while end < json.endIndex, json[end] != UInt8(ascii: "\"") {
        end += json[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < json.endIndex else {
        index = json.endIndex
        return nil
      }
      let string = json[start + 1..<end]
      index = end + 1
      while index < json.endIndex, json[index].isWhiteSpace { index += 1 }
      guard index < json.endIndex, json[index] == UInt8(ascii: ":") else {
        return (last, string)
      }
      last = string
    }
    index = json.endIndex
    return nil
  }

  /// A string without its escapes (RFC 8259, section 7).
  static func decoded(_ string: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(string.count)
    var pair: UInt32 = 0
    var index = string.startIndex
    while index < string.endIndex {
      let byte = string[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < string.endIndex else {
        if byte != 0 { result.append(byte) }
        index += 1
        continue
      }
      let mark = string[index + 1]
      index += 2
      switch mark {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"):
        result.append(0x20)
      case UInt8(ascii: "u"):
        let digits = string[index..<min(index + 4, string.endIndex)]
        index = digits.endIndex
        var unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD
        if unit & 0xFC00 == 0xD800 {
          pair = unit
          continue
        }
        if unit & 0xFC00 == 0xDC00, pair > 0 {
          unit = 0x10000 + (pair & 0x3FF) << 10 + unit & 0x3FF
        }
        pair = 0
        let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
        if unit != 0 { result.append(contentsOf: Array(String(Character(scalar)).utf8)) }
      default: result.append(mark)
      }
    }
    return result
  }
}
