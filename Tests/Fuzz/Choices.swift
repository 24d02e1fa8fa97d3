/// The bytes of libFuzzer, read as a sequence of choices; past their end every choice is the first.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// The next byte, or 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next choice among `count` values, from 0 on.
  mutating func next(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    if count <= 256 { return Int(byte()) % count }
    return (Int(byte()) << 8 | Int(byte())) % count
  }

  /// One element of a collection that is not empty.
  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[next(elements.count)]
  }
}
