/// A writer for the features of one block: one byte of each column.
struct FeatureRow {
  private let bytes: UnsafeMutableRawBufferPointer
  private var index: Int

  /// Creates a writer that begins at the first column.
  /// - Parameters:
  ///   - bytes: The columns, one after the other.
  ///   - index: The index of the block within each column.
  init(bytes: UnsafeMutableRawBufferPointer, index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// Writes the next feature.
  @inline(__always)
  mutating func append(_ value: UInt8) {
    bytes[index] = value
    index += FeatureColumn.count
  }

  /// Writes a later feature without advancing.
  @inline(__always)
  func write(_ value: UInt8, columnsAhead count: Int) {
    bytes[index + count * FeatureColumn.count] = value
  }

  /// Skips the next features, which are 0 unless filled in advance.
  @inline(__always)
  mutating func skip(_ count: Int) { index += count * FeatureColumn.count }

  /// Writes a distance, clamped to 0...15.
  mutating func append(distance: Int) {
    append(UInt8(max(0, min(15, distance))))
  }
}
