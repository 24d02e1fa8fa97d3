import WebArchive

/// Room on the disk that is held back, so that on a full one what was asked for can still be noted. It is a file
/// without a name: whatever ends the program gives the room back.
final class DiskReserve {
  private let descriptor: Int32

  /// Enough for the journal of what is kept, and for its tables.
  private static let size = 1 << 17

  /// Takes room in a folder; nil when there is none.
  init?(in folder: String) {
    let files = LocalFileSystem()
    try? files.makeFolders(folder)
    let result = files.openUnnamed(in: folder)
    guard result >= 0 else { return nil }
    descriptor = Int32(result)
    let zeros = [UInt8](repeating: 0, count: Self.size)
    let written = zeros.withUnsafeBytes { files.write(descriptor, $0, at: 0) }
    guard written == Self.size else { return nil }
  }

  deinit { LocalFileSystem().close(descriptor) }
}
