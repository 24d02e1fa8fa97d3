/// An index or nil, for arrays of structures: it takes 32 bits, an `Int32?` takes 64.
///
/// In an optional chain, compare `value` with nil: `runs.last?.link == nil` would only test whether
/// there is a last run.
@usableFromInline
package struct OptionalIndex: Sendable, Hashable, ExpressibleByNilLiteral {
  /// The index; -1 for nil.
  @usableFromInline let storage: Int32

  /// Creates an index; a negative number is nil.
  @inlinable
  package init(_ index: Int32?) { storage = max(index ?? -1, -1) }

  /// Creates an index of at most `Int32.max`; a negative number is nil.
  @inlinable
  package init(_ index: Int?) { storage = Int32(max(index ?? -1, -1)) }

  @inlinable
  package init(nilLiteral: ()) { storage = -1 }

  /// The index, or nil.
  @inlinable
  package var value: Int? { storage < 0 ? nil : Int(storage) }
}

// Without these, other modules call the implementations that the compiler derives, and the generic
// `!=`, through witness tables.
extension OptionalIndex {
  @inlinable
  package static func == (left: OptionalIndex, right: OptionalIndex) -> Bool {
    left.storage == right.storage
  }

  @inlinable
  package static func != (left: OptionalIndex, right: OptionalIndex) -> Bool {
    left.storage != right.storage
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}
