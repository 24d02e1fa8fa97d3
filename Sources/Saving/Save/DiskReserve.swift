import WebArchive

/// Reserved disk space, which is released when the disk is full, so that requested pages can still
/// be recorded. The space is occupied by a file without a name, so it is also released when the
/// process ends in any way.
final class DiskReserve {
  private let descriptor: Int32

  /// The size in bytes: enough for the journal entries of requested pages and the tables derived
  /// from them.
  private static let size = 1 << 17

  /// Reserves disk space in a directory; nil if there is not enough.
  init?(in directory: String) {
    let files = LocalFileSystem()
    try? files.makeDirectories(directory)
    let result = files.openUnnamed(in: directory)
    guard result >= 0 else { return nil }
    descriptor = Int32(result)
    let zeros = [UInt8](repeating: 0, count: Self.size)
    let written = zeros.withUnsafeBytes { files.write(descriptor, $0, at: 0) }
    guard written == Self.size else { return nil }
  }

  deinit { LocalFileSystem().close(descriptor) }
}
