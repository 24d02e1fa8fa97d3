package import Foundation
import WARC

/// The key for hashing secret request fields that `Vary` lists. It is stored beside the segments.
package enum VarySecret {
  private static let length = 32

  /// Reads the key, or creates one. A damaged key is replaced; responses that were saved with it
  /// are then fetched again. If a key cannot or must not be stored, it is valid for the lifetime of
  /// the process.
  /// - Parameters:
  ///   - directory: the directory of the segments.
  ///   - readOnly: whether nothing may be written.
  ///   - files: the file system.
  /// - Returns: the key.
  package static func load(
    from directory: URL, readOnly: Bool, files: any FileSystem = LocalFileSystem()
  ) -> [UInt8] {
    let path = directory.appendingPathComponent(".vary-key").path
    if let key = try? read(path, files) { return key }
    let key = (0..<length).map { _ in UInt8.random(in: .min ... .max) }
    guard !readOnly else { return key }
    return (try? make(key, path, in: directory.path, files)) ?? key
  }

  /// Stores the key in one step, unless another process has stored one in the meantime.
  /// - Returns: the key that is stored now.
  private static func make(
    _ key: [UInt8], _ path: String, in directory: String, _ files: any FileSystem
  ) throws(ArchiveError) -> [UInt8] {
    guard let lock = try files.openDirectory(directory) else { return key }
    try lock.lock()
    defer { lock.unlock() }
    if let other = try read(path, files) { return other }
    let newFile = try files.openForWriting(path + ".new")
    try newFile.truncate(to: 0)
    try newFile.write(key, at: 0)
    try newFile.sync()
    try files.renameFile(newFile.path, to: path)
    try files.syncDirectory(directory)
    return key
  }

  private static func read(
    _ path: String, _ files: any FileSystem
  ) throws(ArchiveError) -> [UInt8]? {
    guard let file = try files.openForReading(path) else { return nil }
    let key = try file.bytes(at: 0, count: length + 1)
    return key.count == length ? key : nil
  }
}

extension Vary {
  /// Creates a selection that stores secret values only as HMAC-SHA-256.
  /// - Parameter secret: the key.
  package init(secret: [UInt8]) {
    self.init { value in
      "hmac-sha256:"
        + Data(DigestBuilder.hmacSHA256(of: value.utf8, key: secret)).base64EncodedString()
    }
  }
}
