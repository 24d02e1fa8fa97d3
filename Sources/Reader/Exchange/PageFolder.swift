import Foundation
import OfflineCache

/// The pages of a folder as `wget --mirror` and offpunk leave it: files in `HOST/PATH`, below the scheme or
/// without one.
struct PageFolder {
  /// A page.
  struct File: Sendable, Equatable {
    /// Where it lies.
    var path: String
    /// Its address.
    var url: String
  }

  /// The pages, sorted by where they lie.
  private(set) var files: [File] = []
  /// How many files are of no page of the web.
  private(set) var skipped = 0

  /// As many files are looked at.
  static let mostFiles = 1_000_000
  /// How many files of a host are looked at for how it is linked to.
  private static let mostLooks = 20

  /// Looks through a folder; nil when it is none of this kind.
  init?(_ folder: String) {
    let tree = Self.files(below: folder)
    let tops = Set(tree.compactMap { $0.contains("/") ? $0.prefix { $0 != "/" } : nil })
    let ownName = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    if tops.contains("http") || tops.contains("https") {
      for path in tree {
        let parts = path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https",
          parts[1].contains("/"), Self.isHost(parts[1].prefix { $0 != "/" })
        else {
          skipped += 1
          continue
        }
        add(path, below: folder, scheme: String(parts[0]), page: parts[1])
      }
    } else if tops.contains(where: Self.isHost) {
      var schemes: [Substring: String] = [:]
      for (index, path) in tree.enumerated() {
        let host = path.prefix { $0 != "/" }
        guard path.contains("/"), Self.isHost(host) else {
          skipped += 1
          continue
        }
        if schemes[host] == nil {
          // What lies in one folder stands together.
          let own = tree[index...].prefix(Self.mostLooks).prefix { $0.hasPrefix("\(host)/") }
          schemes[host] = Self.scheme(of: host, own.map { "\(folder)/\($0)" })
        }
        add(path, below: folder, scheme: schemes[host] ?? "https", page: path[...])
      }
    } else if Self.isHost(ownName[...]) {
      let looks = tree.prefix(Self.mostLooks).map { "\(folder)/\($0)" }
      let scheme = Self.scheme(of: ownName[...], looks)
      for path in tree {
        add(path, below: folder, scheme: scheme, page: "\(ownName)/\(path)"[...])
      }
    }
    if files.isEmpty { return nil }
  }

  private mutating func add(_ path: String, below folder: String, scheme: String, page: Substring) {
    guard let url = WebURL(Self.address(scheme: scheme, page: page)), url.isWeb else {
      skipped += 1
      return
    }
    files.append(File(path: "\(folder)/\(path)", url: url.description))
  }

  /// The address that a file of a mirror was got from, as far as its name tells.
  static func address(scheme: String, page: Substring) -> String {
    var path = page
    var query: Substring?
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    if let mark = path[name...].firstIndex(of: "?") {
      query = path[path.index(after: mark)...]
      path = path[..<mark]
    }
    for index in ["index.html", "index.htm", "index.gmi"] where path[name...] == index {
      path = path[..<name]
    }
    let end = query.map { "?" + encoded($0) } ?? ""
    return "\(scheme)://\(encoded(path))\(end)"
  }

  /// A name as an address has it; what is encoded stays so.
  private static func encoded(_ text: Substring) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let isPlain =
        byte > 0x20 && byte < 0x7F && !"\"#<>?[\\]^`{|}".utf8.contains(byte)
      result +=
        isPlain
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  /// Every plain file below a folder, without hidden ones; no link is followed.
  private static func files(below folder: String) -> [String] {
    var result: [String] = []
    guard
      let walk = FileManager.default.enumerator(atPath: folder)
    else { return [] }
    while result.count < mostFiles, let name = walk.nextObject() as? String {
      let isHidden = (name as NSString).lastPathComponent.hasPrefix(".")
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if isHidden { walk.skipDescendants() }
      } else if status.st_mode & S_IFMT == S_IFREG, !isHidden {
        result.append(name)
      }
    }
    return result.sorted()
  }

  /// Whether a folder is called as a host is, with or without a port.
  private static func isHost(_ name: Substring) -> Bool {
    let host = name.prefix { $0 != ":" && $0 != "+" }
    let port = name[host.endIndex...].dropFirst()
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return (labels.count > 1 || host == "localhost") && port.allSatisfy(\.isNumber)
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == 0x2D || byte == 0x5F || (0x30...0x39).contains(byte)
              || (0x61...0x7A).contains(byte | 0x20)
          }
      }
  }

  /// `http` where the pages of a host name it by that alone; a mirror does not say.
  private static func scheme(of host: Substring, _ paths: [String]) -> String {
    var hasPlain = false
    for path in paths {
      guard let handle = FileHandle(forReadingAtPath: path),
        let bytes = try? handle.read(upToCount: 1 << 18)
      else { continue }
      if bytes.range(of: Data("https://\(host)".utf8)) != nil { return "https" }
      hasPlain = hasPlain || bytes.range(of: Data("http://\(host)".utf8)) != nil
    }
    return hasPlain ? "http" : "https"
  }
}
