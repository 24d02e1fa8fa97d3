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
