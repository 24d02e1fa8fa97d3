/// The limits for reading a container.
package struct ContainerBounds: Sendable, Equatable {
  /// The maximum number of entries or parts.
  package var maxEntries = 10_000
  /// The maximum decompressed size in bytes, of one entry and of all compressed entries together.
  package var maxSize: Int64 = 1 << 30
  /// The maximum compression ratio of an entry.
  package var maxRatio: Int64 = 200
  /// The decompressed size in bytes up to which the ratio is not limited: runs of zeros compress
  /// very well.
  package var maxUncheckedSize: Int64 = 1 << 20

  package init() {}
}
