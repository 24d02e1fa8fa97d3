/// The named fields of a record's header, in order. Names are case-insensitive.
public struct WARCFields: Sendable, Equatable {
  /// A named field.
  public struct Field: Sendable, Equatable {
    /// The name in its original case.
    public var name: String
    /// The value, without surrounding whitespace.
    public var value: String

    /// Creates a field.
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in order.
  public private(set) var lines: [Field]

  /// Creates a list of fields.
  /// - Parameter lines: the fields in order.
  public init(_ lines: [Field] = []) {
    self.lines = lines
  }

  /// The first value of a field; nil if there is no such field. Setting a value replaces all fields
  /// of this name; setting nil removes them.
  /// - Parameter name: the name; its case is ignored.
  public subscript(name: String) -> String? {
    get { lines.first { Self.matches($0.name, name) }?.value }
    set {
      let first = lines.firstIndex { Self.matches($0.name, name) }
      lines.removeAll { Self.matches($0.name, name) }
      if let newValue { lines.insert(Field(name, newValue), at: first ?? lines.count) }
    }
  }

  /// Returns every value of a field, in order.
  /// - Parameter name: the name; its case is ignored.
  /// - Returns: the values.
  public func values(of name: String) -> [String] {
    lines.filter { Self.matches($0.name, name) }.map(\.value)
  }

  /// Appends a field.
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the value.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Field(name, value))
  }

  /// Parses lines that end with LF or CRLF, up to an empty line or the end. Folded values are
  /// joined, and lines without a colon are ignored.
  /// - Parameter bytes: the lines.
  public init(parsing bytes: some Collection<UInt8>) {
    lines = []
    // The bytes are copied to an array, because in other modules a generic collection is read with
    // one call per byte.
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      if end < rest.endIndex, line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty { return }
      add(line)
      rest = rest[end...].dropFirst()
    }
  }

  /// The fields as bytes. Each line ends with CRLF; line breaks within a value are replaced by
  /// spaces.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      bytes.append(contentsOf: line.name.utf8)
      bytes.append(contentsOf: [0x3A, 0x20])
      bytes.append(contentsOf: line.value.utf8.map { $0 == 13 || $0 == 10 ? 32 : $0 })
      bytes.append(contentsOf: [13, 10])
    }
    return bytes
  }

  private mutating func add(_ line: ArraySlice<UInt8>) {
    guard let first = line.first else { return }
    if first == 32 || first == 9, let last = lines.popLast() {
      // The first line of a folded value may be empty.
      let parts = [last.value, Self.text(line)].filter { !$0.isEmpty }
      lines.append(Field(last.name, parts.joined(separator: " ")))
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return
    }
    lines.append(Field(Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let byte = bytes.first, byte == 32 || byte == 9 { bytes.removeFirst() }
    while let byte = bytes.last, byte == 32 || byte == 9 { bytes.removeLast() }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // Text that is not UTF-8 is decoded as ISO-8859-1, so that nothing is lost.
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func matches(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return zip(a.utf8, b.utf8).allSatisfy { x, y in
      x == y || (x | 0x20 == y | 0x20 && (0x61...0x7A).contains(x | 0x20))
    }
  }
}
