/// The directives of `Cache-Control` (RFC 9111 §5.2), of a request or a response.
public struct CacheControl: Sendable, Equatable {
  /// One directive.
  public struct Directive: Sendable, Equatable {
    /// The name in lower case.
    public var name: String
    /// The argument without quotes, or nil when there is none.
    public var argument: String?
    /// Whether the argument cannot be read: an open quote, white space around the `=`.
    public var isMalformed: Bool
  }

  /// The number of seconds that a directive gives.
  public enum Seconds: Sendable, Equatable {
    /// A number; larger ones than 2³¹ count as 2³¹ (§1.2.2).
    case value(Int)
    /// The directive is there but gives no number.
    case malformed
  }

  /// The directives in order, repeated ones included.
  public let directives: [Directive]

  /// Reads the directives from the lines of the field.
  public init(_ lines: [String]) {
    directives = lines.flatMap { FieldList.members($0) }.compactMap(Self.directive)
  }

  /// The directives of a message.
  public init(_ fields: FieldLines) {
    self.init(fields.values(of: "Cache-Control"))
  }

  /// Whether there are no directives at all.
  public var isEmpty: Bool { directives.isEmpty }

  /// Whether a directive is present, with or without an argument.
  public func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// The seconds that a directive gives; the first one counts when it is repeated (§4.2.1). What
  /// follows the digits, as in `3600.5`, does not count: that is how every browser reads it.
  public func seconds(_ name: String) -> Seconds? {
    guard let directive = directives.first(where: { $0.name == name }) else { return nil }
    guard !directive.isMalformed, let argument = directive.argument else { return .malformed }
    let digits = argument.utf8.prefix { (0x30...0x39).contains($0) }
    return DeltaSeconds.parse(String(decoding: digits, as: UTF8.self)).map { .value($0) }
      ?? .malformed
  }

  /// Whether a directive that may list field names is present without such a list: it then
  /// concerns the whole message (§5.2.2.4, §5.2.2.7).
  public func containsUnqualified(_ name: String) -> Bool {
    directives.contains { $0.name == name && Self.fieldNames(in: $0).isEmpty }
  }

  /// The field names that a directive lists, in lower case.
  public func fieldNames(of name: String) -> Set<String> {
    Set(directives.lazy.filter { $0.name == name }.flatMap { Self.fieldNames(in: $0) })
  }

  private static func fieldNames(in directive: Directive) -> [String] {
    guard !directive.isMalformed, let argument = directive.argument else { return [] }
    return FieldList.texts(argument).map { $0.lowercased() }
  }

  private static func directive(_ member: ArraySlice<UInt8>) -> Directive? {
    guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else {
      return Directive(name: lowercased(member), argument: nil, isMalformed: false)
    }
    var name = member[..<equals]
    var argument = member[(equals + 1)...]
    var isMalformed = false
    while let last = name.last, last == 0x20 || last == 0x09 {
      name.removeLast()
      isMalformed = true
    }
    while let first = argument.first, first == 0x20 || first == 0x09 {
      argument.removeFirst()
      isMalformed = true
    }
    guard !name.isEmpty else { return nil }
    if argument.first == UInt8(ascii: "\"") {
      guard let text = FieldList.unquoted(argument) else {
        return Directive(name: lowercased(name), argument: nil, isMalformed: true)
      }
      return Directive(name: lowercased(name), argument: text, isMalformed: isMalformed)
    }
    return Directive(
      name: lowercased(name), argument: String(decoding: argument, as: UTF8.self),
      isMalformed: isMalformed)
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// Lists of field members (RFC 9110 §5.6.1).
package enum FieldList {
  /// The members of a comma-separated list without white space around them; commas inside quoted
  /// strings do not separate; empty members are dropped.
  package static func members(_ value: String) -> [ArraySlice<UInt8>] {
    let bytes = Array(value.utf8)
    var members: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    var isQuoted = false
    while index <= bytes.count {
      if index == bytes.count || (bytes[index] == UInt8(ascii: ",") && !isQuoted) {
        let member = trimmed(bytes[start..<index])
        if !member.isEmpty { members.append(member) }
        start = index + 1
      } else if bytes[index] == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted, bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
        index += 1
      }
      index += 1
    }
    return members
  }

  /// The members as text.
  package static func texts(_ value: String) -> [String] {
    members(value).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The content of a quoted string; nil when it does not end with its closing quote.
  package static func unquoted(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    var output: [UInt8] = []
    var rest = bytes.dropFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        return rest.isEmpty ? String(decoding: output, as: UTF8.self) : nil
      }
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        output.append(escaped)
      } else {
        output.append(byte)
      }
    }
    return nil
  }

  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }
}

/// Non-negative whole seconds (RFC 9111 §1.2.2).
package enum DeltaSeconds {
  /// The largest value that is kept apart.
  package static let limit = 1 << 31

  /// Reads digits and nothing else.
  package static func parse(_ text: String) -> Int? {
    guard !text.utf8.isEmpty else { return nil }
    var value = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = min(limit, value * 10 + Int(byte - 0x30))
    }
    return value
  }
}
