/// A dictionary of structured fields (RFC 9651 §3.2), as far as the cache has use for its values.
package struct StructuredDictionary: Sendable, Equatable {
  /// A member's value; parameters are read and dropped.
  package enum Value: Sendable, Equatable {
    /// `?1` or `?0`, or a key alone.
    case boolean(Bool)
    /// An inner list of strings.
    case strings([String])
    /// Anything else.
    case other
  }

  private var members: [String: Value] = [:]

  /// The value of a key; that of the last one when the key is repeated.
  package subscript(key: String) -> Value? { members[key] }

  /// Reads a field value; nil when it is no dictionary.
  package init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    reader.skip { $0 == 0x20 }
    guard !reader.rest.isEmpty else { return }
    while true {
      guard let key = reader.key() else { return nil }
      var value = Value.boolean(true)
      if reader.take(UInt8(ascii: "=")) {
        guard let read = reader.value() else { return nil }
        value = read
      }
      guard reader.parameters() else { return nil }
      members[key] = value
      reader.skip { $0 == 0x20 || $0 == 0x09 }
      if reader.rest.isEmpty { return }
      guard reader.take(UInt8(ascii: ",")) else { return nil }
      reader.skip { $0 == 0x20 || $0 == 0x09 }
    }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    /// The bytes for which a condition holds, nil when there are none.
    mutating func run(_ isMember: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
      let found = rest.prefix(while: isMember)
      rest = rest.dropFirst(found.count)
      return found.isEmpty ? nil : found
    }

    /// §4.2.3.3.
    mutating func key() -> String? {
      guard let first = rest.first, Reader.isLower(first) || first == UInt8(ascii: "*") else {
        return nil
      }
      let key = run { Reader.isLower($0) || Reader.isDigit($0) || "_-.*".utf8.contains($0) }
      return key.map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func value() -> Value? {
      guard take(UInt8(ascii: "(")) else { return item().map(\.value) }
      // §4.2.1.2: an inner list.
      var texts: [String]? = []
      while true {
        skip { $0 == 0x20 }
        if take(UInt8(ascii: ")")) { return texts.map { .strings($0) } ?? .other }
        guard let item = item(), parameters() else { return nil }
        if let text = item.text { texts?.append(text) } else { texts = nil }
        guard rest.first == 0x20 || rest.first == UInt8(ascii: ")") else { return nil }
      }
    }

    mutating func parameters() -> Bool {
      while take(UInt8(ascii: ";")) {
        skip { $0 == 0x20 }
        guard key() != nil else { return false }
        if take(UInt8(ascii: "=")), item() == nil { return false }
      }
      return true
    }

    /// §4.2.3.1: a bare item; its text when it is a string.
    mutating func item() -> (value: Value, text: String?)? {
      guard let first = rest.first else { return nil }
      switch first {
      case UInt8(ascii: "?"):
        rest.removeFirst()
        guard let digit = rest.popFirst(), digit == 0x30 || digit == 0x31 else { return nil }
        return (.boolean(digit == 0x31), nil)
      case UInt8(ascii: "\""): return string().map { (.other, $0) }
      case UInt8(ascii: ":"):
        rest.removeFirst()
        skip { Reader.isAlphanumeric($0) || "+/=".utf8.contains($0) }
        return take(UInt8(ascii: ":")) ? (.other, nil) : nil
      case UInt8(ascii: "@"), UInt8(ascii: "-"), 0x30...0x39:
        rest.removeFirst()
        skip { Reader.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        return (.other, nil)
      case UInt8(ascii: "%"):
        rest.removeFirst()
        return string() == nil ? nil : (.other, nil)
      case _ where Reader.isAlphanumeric(first) || first == UInt8(ascii: "*"):
        skip { Reader.isAlphanumeric($0) || "!#$%&'*+-.^_`|~:/".utf8.contains($0) }
        return (.other, nil)
      default: return nil
      }
    }

    /// §4.2.5.
    private mutating func string() -> String? {
      guard take(UInt8(ascii: "\"")) else { return nil }
      var text: [UInt8] = []
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let escaped = rest.popFirst(), "\"\\".utf8.contains(escaped) else { return nil }
          text.append(escaped)
        case 0x20...0x7E: text.append(byte)
        default: return nil
        }
      }
      return nil
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
      isDigit(byte) || isLower(byte | 0x20)
    }
  }
}
