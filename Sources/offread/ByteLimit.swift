import Configuration
import ArgumentParser

/// A size as typed: `500K`, `20M`, `1G`, or a plain number of bytes.
struct ByteLimit: ExpressibleByArgument, Equatable {
  /// The size in bytes.
  var bytes: Int64

  /// Parses a size; nil if it is invalid or zero.
  init?(argument: String) {
    guard let bytes = Units.bytes(typed: argument), bytes > 0 else { return nil }
    self.bytes = bytes
  }
}
