/// An ordered list of header fields (RFC 9110 §5): names compare without case, repeated fields and
/// their order are kept.
///
/// A field value is text: octets that are valid UTF-8 are read as UTF-8, others as ISO-8859-1, so
/// no answer is lost to an odd byte.
public struct FieldLines: Sendable, Equatable {
  /// One field line.
  public struct Field: Sendable, Hashable {
    /// The name as it was sent.
    public var name: String
    /// The value without white space around it.
    public var value: String

    /// Makes a field line from a name and a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The field lines in order.
  public private(set) var lines: [Field] = []

  /// Makes fields from lines in order.
  public init(_ lines: [Field] = []) {
    self.lines = lines
  }

  /// The combined value of a field: its lines joined with ", " (RFC 9110 §5.2), or nil when absent.
  /// Setting replaces every line of that name by one at the place of the first; nil removes them.
  public subscript(name: String) -> String? {
    get {
      guard let first = lines.firstIndex(where: { Self.matches($0.name, name) }) else { return nil }
      let rest = lines[(first + 1)...].filter { Self.matches($0.name, name) }
      guard !rest.isEmpty else { return lines[first].value }
      return ([lines[first]] + rest).map(\.value).joined(separator: ", ")
    }
    set {
      let first = lines.firstIndex { Self.matches($0.name, name) }
      lines.removeAll { Self.matches($0.name, name) }
      guard let newValue else { return }
      lines.insert(Field(name, newValue), at: min(first ?? lines.count, lines.count))
    }
  }

  /// The values of the lines of one field, in order.
  public func values(of name: String) -> [String] {
    lines.filter { Self.matches($0.name, name) }.map(\.value)
  }

  /// Adds a line at the end.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Field(name, value))
  }

  /// Removes the lines for which a condition holds.
  public mutating func removeAll(where condition: (Field) -> Bool) {
    lines.removeAll(where: condition)
  }

  /// Whether two field names are the same (ASCII case folded).
  package static func matches(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return a == b || zip(a.utf8, b.utf8).allSatisfy(Self.isSameLetter)
  }

  private static func isSameLetter(_ x: UInt8, _ y: UInt8) -> Bool {
    x == y || (x | 0x20 == y | 0x20 && (0x61...0x7A).contains(x | 0x20))
  }
}
