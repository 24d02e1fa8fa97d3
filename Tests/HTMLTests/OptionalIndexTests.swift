import DOM
import Testing

@Suite struct OptionalIndexTests {
  @Test func `an optional index takes 32 bits`() {
    #expect(MemoryLayout<OptionalIndex>.size == 4)
    #expect(MemoryLayout<OptionalIndex>.stride == 4)
  }

  @Test func `the links between nodes take 32 bits each`() {
    #expect(MemoryLayout<DOMTree.Node>.stride == 32)
  }

  @Test func `nil has no value`() {
    let index: OptionalIndex = nil
    let isNil = index == nil
    #expect(isNil && index.value == nil)
    #expect(index != OptionalIndex(0))
  }

  @Test func `a negative number is nil`() {
    let indices = [
      OptionalIndex(-1), OptionalIndex(-2), OptionalIndex(Int.min), OptionalIndex(Int32.min),
    ]
    #expect(indices.allSatisfy { $0 == nil && $0.value == nil })
  }

  @Test(arguments: [0, 1, Int(Int32.max)])
  func `an index has its value`(_ number: Int) {
    let index = OptionalIndex(number)
    let isNil = index == nil
    #expect(!isNil && index.value == number)
    #expect(index == OptionalIndex(Int32(number)))
    #expect(index != OptionalIndex(number - 1))
  }

  @Test func `equal indices have equal hash values`() {
    let indices: Set<OptionalIndex> = [
      nil, OptionalIndex(-1), OptionalIndex(0), OptionalIndex(Int32(0)), OptionalIndex(Int32.max),
    ]
    #expect(indices.count == 3)
    #expect(indices.contains(nil) && indices.contains(OptionalIndex(Int(Int32.max))))
  }
}
