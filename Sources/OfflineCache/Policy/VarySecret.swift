import Foundation

/// The key by which secret `Vary` values are hashed; it lies beside the segments.
enum VarySecret {
  /// Reads the key, or makes one. Where none can or may be kept it lasts as long as the process.
  static func load(from folder: URL, readOnly: Bool) -> [UInt8] {
    let path = folder.appendingPathComponent(".vary-key").path
    if let key = read(path) { return key }
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    guard !readOnly else { return key }
    // Written whole under another name and linked: two processes never disagree.
    let draft = path + ".\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return key }
    let written = write(descriptor, key, key.count)
    close(descriptor)
    defer { unlink(draft) }
    guard written == key.count, link(draft, path) == 0 else { return read(path) ?? key }
    return key
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: path), data.count == 32 else {
      return nil
    }
    return [UInt8](data)
  }
}
