/// One feature of 64 blocks, one byte each.
///
/// A concrete type, because the runtime is slow to instantiate arrays of generic SIMD types.
struct FeatureColumn: Equatable {
  var lanes: SIMD64<UInt8>

  static let zero = FeatureColumn(lanes: .zero)
  static let count = SIMD64<UInt8>.scalarCount
}
