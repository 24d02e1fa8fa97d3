/// A hash table from names of at most 16 ASCII bytes, regardless of case, to values.
///
/// Inlinable, so that other targets specialize it for their values: unspecialized, it was four
/// times as slow.
@usableFromInline
package struct NameTable<Value: Sendable>: Sendable {
  @usableFromInline
  package struct Slot: Sendable {
    @usableFromInline var lowKey: UInt64, highKey: UInt64
    @usableFromInline var value: Value?

    @inlinable
    init(lowKey: UInt64, highKey: UInt64, value: Value?) {
      self.lowKey = lowKey
      self.highKey = highKey
      self.value = value
    }
  }

  @usableFromInline var slots: [Slot]
  @usableFromInline let mask: Int

  @inlinable
  package init(_ entries: [(String, Value)]) {
    self.init(capacity: entries.count)
    for (name, value) in entries {
      var name = name
      name.withUTF8 { insert($0, value) }
    }
  }

  /// Creates a table of values that may have several names.
  /// - Parameter valuesWithNames: Values with their names, separated by spaces. If several values
  ///   have the same name, the first one counts.
  @inlinable
  package init(valuesWithNames: [(Value, StaticString)]) {
    // A name with its separator has at least two bytes, so that a sixth of the size leaves enough
    // free slots.
    self.init(capacity: valuesWithNames.reduce(0) { $0 + $1.1.utf8CodeUnitCount } / 6)
    for (value, names) in valuesWithNames {
      names.forEachPart(separator: UInt8(ascii: " ")) { insert($0, value) }
    }
  }

  @inlinable
  init(capacity: Int) {
    var size = 64
    while size < capacity * 4 { size *= 2 }
    slots = Array(repeating: Slot(lowKey: 0, highKey: 0, value: nil), count: size)
    mask = size - 1
  }

  @inlinable
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>, _ value: Value) {
    let (low, high) = Self.key(name)
    var index = Self.hash(low, high) & mask
    while slots[index].value != nil { index = (index + 1) & mask }
    slots[index] = Slot(lowKey: low, highKey: high, value: value)
  }

  /// Returns the value of a name; nil if the table does not have it.
  @inlinable
  package func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    guard bytes.count <= 16, !bytes.isEmpty else { return nil }
    let (low, high) = Self.key(bytes)
    var index = Self.hash(low, high) & mask
    while let value = slots[index].value {
      if slots[index].lowKey == low, slots[index].highKey == high { return value }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Returns the bytes in two integers. Setting bit 5 of each converts letters to lower case and
  /// does not change the digits, `-` and `:` in names.
  @inlinable @inline(__always)
  static func key(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in 0..<min(8, bytes.count) { low = low << 8 | UInt64(bytes[index] | 0x20) }
    if bytes.count > 8 {
      for index in 8..<bytes.count { high = high << 8 | UInt64(bytes[index] | 0x20) }
    }
    return (low, high)
  }

  @inlinable @inline(__always)
  static func hash(_ low: UInt64, _ high: UInt64) -> Int {
    let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}

extension StaticString {
  /// Calls a function with each non-empty part between separators.
  @inlinable
  package func forEachPart(separator: UInt8, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUTF8Buffer { text in
      var (start, index) = (0, 0)
      while start < text.count {
        while index < text.count, text[index] != separator { index += 1 }
        if index > start { body(UnsafeBufferPointer(rebasing: text[start..<index])) }
        index += 1
        start = index
      }
    }
  }
}
