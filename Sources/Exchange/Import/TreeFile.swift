package import Foundation

/// A file of a tree.
package struct TreeFile {
  /// The size in bytes.
  package let size: Int64
  /// The modification date.
  package let date: Date
  /// A string that changes if the content changes.
  package let fingerprint: String
  /// Returns at most `count` bytes from an offset.
  package let bytes: (_ offset: Int64, _ count: Int) throws -> [UInt8]
}
