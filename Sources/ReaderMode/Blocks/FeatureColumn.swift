/// A feature of sixty-four blocks, a byte for each. A type of its own, since the run time takes long to make
/// that of an array of a generic one.
struct FeatureColumn: Equatable {
  var lanes: SIMD64<UInt8>

  static let zero = FeatureColumn(lanes: .zero)
  static let count = SIMD64<UInt8>.scalarCount
}
