import Foundation

/// The passwords of a `.netrc` file: a login and a password per host. The file is read once and
/// never written. Descriptions do not reveal the passwords.
public struct Netrc: Sendable, Equatable {
  private struct Entry: Equatable {
    /// The lowercase host; nil for the default entry.
    var machine: String?
    var login: String?
    var password: String?
  }

  private var entries: [Entry] = []

  /// Reads a file.
  /// - Parameter path: The path of the file.
  /// - Throws: `ArchiveError.credentials` if the file cannot be read, or if other users may access
  ///   it.
  public init(path: String) throws(ArchiveError) {
    try self.init(path: path, files: LocalFileSystem())
  }

  /// Reads a file of a file system.
  /// - Throws: `ArchiveError.credentials` if the file cannot be used.
  package init(path: String, files: LocalFileSystem) throws(ArchiveError) {
    let status: OpenFile.Status?
    let bytes: [UInt8]?
    do throws(ArchiveError) {
      status = try files.status(of: path)
      bytes = try CookieFile.bytes(path, files)
    } catch {
      throw .credentials("\(path) cannot be read")
    }
    guard let status else { throw .credentials("\(path): there is no such file") }
    guard status.mode & 0o077 == 0 else {
      throw .credentials("\(path) can be read by other users; run: chmod 600 \(path)")
    }
    self.init(text: String(decoding: bytes ?? [], as: UTF8.self))
  }

  /// Parses the text of a file; unknown tokens are ignored.
  init(text: String) {
    var content = NetrcTokenizer(text)
    while let word = content.next() {
      switch word.lowercased() {
      case "machine":
        content.next().map { name in
          let host = HostName.normalized(Array(name.utf8)[...]) ?? name.lowercased()
          entries.append(Entry(machine: host))
        }
      case "default": entries.append(Entry())
      case "login": set(\.login, content.next())
      case "password": set(\.password, content.next())
      case "account": _ = content.next()
      case "macdef": content.skipMacro()
      default: continue
      }
    }
  }

  private mutating func set(_ field: WritableKeyPath<Entry, String?>, _ value: String?) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1][keyPath: field] = value
  }

  /// Returns whether an entry names a host (as in `WebURL.host`).
  package func hasEntry(for host: String) -> Bool {
    let host = Self.unbracketed(host)
    return entries.contains { $0.machine == host && $0.login != nil }
  }

  private static func unbracketed(_ host: String) -> String {
    host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  /// Returns the credentials for a host (as in `WebURL.host`): from the first entry for the host
  /// that has a login, or else from the default entry; nil if neither exists.
  func credentials(for host: String) -> Credentials? {
    let host = Self.unbracketed(host)
    let entry =
      entries.first { $0.machine == host && $0.login != nil }
      ?? entries.first { $0.machine == nil && $0.login != nil }
    guard let entry, let login = entry.login else { return nil }
    return Credentials(user: login, password: entry.password ?? "")
  }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
  /// The number of entries, without passwords.
  public var description: String { "\(entries.count) entries of a .netrc" }
  /// A mirror without secrets, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["entries": entries.count]) }
}

/// A tokenizer for `.netrc` files: tokens are separated by white space and may be quoted.
private struct NetrcTokenizer {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func next() -> String? {
    skipBlanks()
    guard index < bytes.count else { return nil }
    var word: [UInt8] = []
    if bytes[index] == UInt8(ascii: "\"") {
      index += 1
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
        word.append(bytes[index])
        index += 1
      }
      index += 1
    } else {
      while index < bytes.count, !Self.isBlank(bytes[index]) {
        word.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: word, as: UTF8.self)
  }

  /// Skips a macro, which ends at an empty line.
  mutating func skipMacro() {
    while index < bytes.count {
      let isEnd =
        bytes[index...].starts(with: [0x0A, 0x0A])
        || bytes[index...].starts(with: [0x0A, 0x0D, 0x0A])
      index += 1
      if isEnd { return }
    }
  }

  /// Skips white space and lines that begin with `#`.
  private mutating func skipBlanks() {
    var isLineStart = index == 0
    while index < bytes.count {
      if isLineStart, bytes[index] == UInt8(ascii: "#") {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else if Self.isBlank(bytes[index]) {
        isLineStart = bytes[index] == 0x0A || isLineStart
        index += 1
      } else {
        return
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
