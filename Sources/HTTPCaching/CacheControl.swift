/// The directives of `Cache-Control` (RFC 9111 §5.2) in a request or response.
public struct CacheControl: Sendable, Equatable {
  /// One directive.
  public struct Directive: Sendable, Equatable {
    /// The name in lower case.
    public var name: String
    /// The argument without quotes; nil if there is none, or if it is an unterminated quoted
    /// string.
    public var argument: String?
    /// Whether the argument is invalid: an unterminated quoted string, or white space around the
    /// `=`.
    public var isMalformed: Bool
  }

  /// The argument of a directive that takes a number of seconds.
  public enum Seconds: Sendable, Hashable, CustomStringConvertible {
    /// A valid number; values above 2³¹ are capped to 2³¹ (§1.2.2).
    case value(Int)
    /// The directive is present without a valid number.
    case malformed

    /// The number, or `malformed`.
    public var description: String {
      switch self {
      case .value(let seconds): "\(seconds)"
      case .malformed: "malformed"
      }
    }
  }

  /// The directives in order, including repeated ones.
  public let directives: [Directive]

  /// Parses the directives from the lines of the field. A semicolon, which some servers write
  /// instead of a comma, separates directives too.
  public init(_ lines: [String]) {
    directives = lines.flatMap { FieldList.members($0, separators: Self.separators) }
      .compactMap(Self.directive)
  }

  private static let separators = Array(",;".utf8)

  /// Parses the directives of a message.
  public init(_ fields: FieldLines) {
    self.init(fields.values(of: "Cache-Control"))
  }

  /// Whether there are no directives at all.
  public var isEmpty: Bool { directives.isEmpty }

  /// Whether a directive is present, with or without an argument.
  public func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// Returns the seconds of a directive, or nil if it is absent; of repeated ones the first is used
  /// (§4.2.1). Text after the digits, as in `3600.5`, is ignored, as in all browsers.
  public func seconds(_ name: String) -> Seconds? {
    guard let directive = directives.first(where: { $0.name == name }) else { return nil }
    guard !directive.isMalformed, let argument = directive.argument else { return .malformed }
    let digits = argument.utf8.prefix { (0x30...0x39).contains($0) }
    return DeltaSeconds.parse(String(decoding: digits, as: UTF8.self)).map { .value($0) }
      ?? .malformed
  }

  /// Whether a directive that may list field names is present without such a list and thus applies
  /// to the whole message (§5.2.2.4, §5.2.2.7).
  public func containsUnqualified(_ name: String) -> Bool {
    directives.contains { $0.name == name && Self.fieldNames(in: $0).isEmpty }
  }

  /// Returns the field names that a directive lists, in lower case.
  public func fieldNames(of name: String) -> Set<String> {
    Set(directives.lazy.filter { $0.name == name }.flatMap { Self.fieldNames(in: $0) })
  }

  private static func fieldNames(in directive: Directive) -> [String] {
    guard !directive.isMalformed, let argument = directive.argument else { return [] }
    return FieldList.memberTexts(argument).map { $0.lowercased() }
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

/// Parses field values that are lists (RFC 9110 §5.6.1).
package enum FieldList {
  /// Returns the members of a comma-separated list without surrounding white space. Commas in
  /// quoted strings do not separate, and empty members are dropped. A quote that is never closed is
  /// an ordinary character, so that it hides no members.
  /// - Parameters:
  ///   - value: The value of the field.
  ///   - separators: The characters that separate members.
  ///   - hasEscapes: Whether a backslash in quotes escapes the next character. In entity tags it is
  ///     an ordinary character (RFC 9110 §8.8.3).
  /// - Returns: The members in order.
  package static func members(
    _ value: String, separators: [UInt8] = [UInt8(ascii: ",")], hasEscapes: Bool = true
  ) -> [ArraySlice<UInt8>] {
    let bytes = Array(value.utf8)
    var members: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    // The position of the quote that opened the current quoted string.
    var openingQuote: Int?
    var ignoresQuotes = false
    while index <= bytes.count {
      if index == bytes.count, let quote = openingQuote {
        // The rest is read again without quoted strings.
        (index, openingQuote, ignoresQuotes) = (quote, nil, true)
      } else if index == bytes.count || openingQuote == nil && separators.contains(bytes[index]) {
        let member = trimmed(bytes[start..<index])
        if !member.isEmpty { members.append(member) }
        start = index + 1
      } else if bytes[index] == UInt8(ascii: "\""), !ignoresQuotes {
        openingQuote = openingQuote == nil ? index : nil
      } else if openingQuote != nil, hasEscapes, bytes[index] == UInt8(ascii: "\\"),
        index + 1 < bytes.count
      {
        index += 1
      }
      index += 1
    }
    return members
  }

  /// Returns the members of a comma-separated list as text; see
  /// `members(_:separators:hasEscapes:)`.
  package static func memberTexts(_ value: String) -> [String] {
    members(value).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the content of a quoted string; nil if it does not end with its closing quote.
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

/// A non-negative whole number of seconds (RFC 9111 §1.2.2).
package enum DeltaSeconds {
  /// The maximum value, to which larger ones are capped.
  package static let maxValue = 1 << 31

  /// Parses a text that consists of digits only; nil for any other text.
  package static func parse(_ text: String) -> Int? {
    guard !text.utf8.isEmpty else { return nil }
    var value = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = min(maxValue, value * 10 + Int(byte - 0x30))
    }
    return value
  }
}
