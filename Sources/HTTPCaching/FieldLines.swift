/// An ordered list of header fields (RFC 9110 §5). Names are compared case-insensitively; repeated
/// fields and their order are preserved.
///
/// A field value is text: octets are decoded as UTF-8 if they are valid, else as ISO-8859-1, so
/// that an unusual byte does not invalidate a response.
public struct FieldLines: Sendable, Equatable {
  /// One field line.
  public struct Field: Sendable, Hashable {
    /// The name as it was sent.
    public var name: String
    /// The value without surrounding white space.
    public var value: String

    /// Creates a field line from a name and a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The field lines in order.
  public private(set) var lines: [Field] = []

  /// Creates fields from lines in order.
  public init(_ lines: [Field] = []) {
    self.lines = lines
  }

  /// The combined value of a field: its lines joined with ", " (RFC 9110 §5.2), or nil if absent.
  /// Setting a value replaces all lines of that name by one line at the position of the first;
  /// setting nil removes them.
  public subscript(name: String) -> String? {
    get {
      guard let first = lines.firstIndex(where: { Self.matches($0.name, name) }) else { return nil }
      let furtherLines = lines[(first + 1)...].filter { Self.matches($0.name, name) }
      guard !furtherLines.isEmpty else { return lines[first].value }
      return ([lines[first]] + furtherLines).map(\.value).joined(separator: ", ")
    }
    set {
      let firstIndex = lines.firstIndex { Self.matches($0.name, name) }
      lines.removeAll { Self.matches($0.name, name) }
      guard let newValue else { return }
      lines.insert(Field(name, newValue), at: min(firstIndex ?? lines.count, lines.count))
    }
  }

  /// Returns the values of the lines of one field, in order.
  public func values(of name: String) -> [String] {
    lines.filter { Self.matches($0.name, name) }.map(\.value)
  }

  /// Appends a line.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Field(name, value))
  }

  /// Removes the lines that satisfy a condition.
  public mutating func removeAll(where condition: (Field) -> Bool) {
    lines.removeAll(where: condition)
  }

  /// Returns the fields that an intermediary forwards and a cache stores: without those of the
  /// connection, those that `Connection` names, and those for a proxy (RFC 9110 §7.6.1, RFC 9111
  /// §3.1).
  public func withoutConnectionFields() -> FieldLines {
    var names = Self.connectionFields
    for value in values(of: "Connection") {
      names.formUnion(FieldList.memberTexts(value).map { $0.lowercased() })
    }
    return FieldLines(lines.filter { !names.contains($0.name.lowercased()) })
  }

  private static let connectionFields: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
    "proxy-authentication-info", "proxy-authorization", "te", "transfer-encoding", "upgrade",
  ]

  /// Whether two field names are equal, ignoring ASCII case.
  package static func matches(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return a == b || zip(a.utf8, b.utf8).allSatisfy(Self.isSameLetter)
  }

  private static func isSameLetter(_ x: UInt8, _ y: UInt8) -> Bool {
    x == y || (x | 0x20 == y | 0x20 && (0x61...0x7A).contains(x | 0x20))
  }
}
