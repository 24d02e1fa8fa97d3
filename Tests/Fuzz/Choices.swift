/// The bytes from libFuzzer, interpreted as a sequence of choices. After the last byte, every
/// choice is the first one.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// Removes and returns the next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Returns the next choice, from 0 to `count - 1`.
  mutating func next(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    if count <= 256 { return Int(byte()) % count }
    return (Int(byte()) << 8 | Int(byte())) % count
  }

  /// Returns an element of a collection, which must not be empty.
  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[next(elements.count)]
  }
}
