/// A set of elements as bits.
@usableFromInline
package struct ElementSet: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline var bits: (UInt64, UInt64, UInt64) = (0, 0, 0)

  @usableFromInline
  package init(arrayLiteral elements: ElementName...) {
    self.init(elements)
  }

  init(_ elements: [ElementName]) {
    for element in elements { insert(element) }
  }

  mutating func insert(_ element: ElementName) {
    let bit: UInt64 = 1 << (element.index & 63)
    switch element.index >> 6 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    default: bits.2 |= bit
    }
  }

  @inlinable
  package func contains(_ element: ElementName) -> Bool {
    let word =
      switch element.index >> 6 {
      case 0: bits.0
      case 1: bits.1
      default: bits.2
      }
    return word >> (element.index & 63) & 1 != 0
  }
}

extension ElementName {
  /// The position in the vocabulary, which has fewer than 192 elements.
  @inlinable
  package var index: UInt64 { UInt64(unsafeBitCast(self, to: UInt8.self)) }
}
