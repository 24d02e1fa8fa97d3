import Foundation

/// The passwords of a `.netrc` file: for each machine a login and a password. The file is read once
/// and never written. Printed, the passwords do not show.
public struct Netrc: Sendable, Equatable {
  private struct Entry: Equatable {
    /// The host in lower case; nil for every other one.
    var machine: String?
    var login: String?
    var password: String?
  }

  private var entries: [Entry] = []

  /// Reads a file.
  /// - Parameter path: where it is.
  /// - Throws: `ArchiveError.credentials` when it cannot be read, or others may read it.
  public init(path: String) throws(ArchiveError) {
    let status: OpenFile.Status?
    let bytes: [UInt8]?
    do throws(ArchiveError) {
      status = try LocalFileSystem().status(of: path)
      bytes = try CookieFile.bytes(path)
    } catch {
      throw .credentials("\(path) cannot be read")
    }
    guard let status else { throw .credentials("\(path): there is no such file") }
    guard status.mode & 0o077 == 0 else {
      throw .credentials("\(path) can be read by others; forbid it: chmod 600 \(path)")
    }
    self.init(text: String(decoding: bytes ?? [], as: UTF8.self))
  }

  /// Reads the text of a file; words that mean nothing are passed over.
  init(text: String) {
    var words = NetrcWords(text)
    while let word = words.next() {
      switch word {
      case "machine":
        words.next().map { name in
          let host = HostName.normalised(Array(name.utf8)[...]) ?? name.lowercased()
          entries.append(Entry(machine: host))
        }
      case "default": entries.append(Entry())
      case "login": set(\.login, words.next())
      case "password": set(\.password, words.next())
      case "account": _ = words.next()
      case "macdef": words.skipMacro()
      default: continue
      }
    }
  }

  private mutating func set(_ field: WritableKeyPath<Entry, String?>, _ value: String?) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1][keyPath: field] = value
  }

  /// The credentials for a host of a `WebURL`, nil when there are none: those of the first entry
  /// that names it, else those for every other one.
  func credentials(for host: String) -> Credentials? {
    let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let entry =
      entries.first { $0.machine == host && $0.login != nil }
      ?? entries.first { $0.machine == nil && $0.login != nil }
    guard let entry, let login = entry.login else { return nil }
    return Credentials(user: login, password: entry.password ?? "")
  }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
  /// How many entries there are; no passwords.
  public var description: String { "\(entries.count) entries of a .netrc" }
  /// Nothing that the description does not say, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["entries": entries.count]) }
}

/// The words of a `.netrc`: white space between them, quotes around those that have some.
private struct NetrcWords {
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

  /// Passes over a macro: up to an empty line.
  mutating func skipMacro() {
    while index < bytes.count {
      let isEnd =
        bytes[index...].starts(with: [0x0A, 0x0A])
        || bytes[index...].starts(with: [0x0A, 0x0D, 0x0A])
      index += 1
      if isEnd { return }
    }
  }

  /// Passes over white space, and over lines that begin with `#`.
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
