/// The compressed backups of bookmarks that Firefox makes (`.jsonlz4`): a signature, the length of
/// the content, and a block of LZ4.
enum MozillaLZ4 {
  static let signature = Array("mozLz40\0".utf8)
  private static let headerLength = 12
  private static let minMatchLength = 4

  /// Decompresses a file, up to the first error in a damaged one.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - limit: The approximate number of bytes after which decompression stops.
  /// - Returns: The content.
  static func decompressed(_ bytes: [UInt8], limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var index = headerLength
    /// Adds the bytes that continue a length of 15.
    func length(_ first: UInt8) -> Int {
      var length = Int(first)
      guard first == 15 else { return length }
      while index < bytes.count {
        index += 1
        length += Int(bytes[index - 1])
        if bytes[index - 1] < 255 { break }
      }
      return length
    }
    while index < bytes.count, result.count < limit {
      let token = bytes[index]
      index += 1
      let literals = length(token >> 4)
      let end = min(index + literals, bytes.count)
      result += bytes[min(index, end)..<end]
      index = end
      guard index + 1 < bytes.count else { break }
      let distance = Int(bytes[index]) | Int(bytes[index + 1]) << 8
      index += 2
      guard distance > 0, distance <= result.count else { break }
      let count = min(length(token & 15) + minMatchLength, max(0, limit - result.count))
      // The source and the copy may overlap.
      for _ in 0..<count { result.append(result[result.count - distance]) }
    }
    return result
  }
}
