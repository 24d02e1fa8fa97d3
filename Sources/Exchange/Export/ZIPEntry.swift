/// A file in a ZIP archive.
package struct ZIPEntry: Sendable, Equatable {
  /// The relative path, with slashes.
  package var path: String
  /// The content.
  package var bytes: [UInt8]
  /// Whether the file is stored uncompressed; otherwise it is compressed if that makes it smaller.
  package var isStored: Bool

  package init(path: String, bytes: [UInt8], isStored: Bool = false) {
    self.path = path
    self.bytes = bytes
    self.isStored = isStored
  }
}
