/// The free disk space that enclosures leave for pages and for other programs.
enum FreeSpaceReserve {
  /// The number of bytes that remain free.
  static let bytes: Int64 = 100_000_000

  /// Returns whether content of a length in bytes leaves the reserve free; true if the free space
  /// is unknown.
  static func allows(_ length: Int64, of free: Int64?) -> Bool {
    guard let free else { return true }
    return length <= free - bytes
  }
}
