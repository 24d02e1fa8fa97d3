/// Paths within a container: names separated by slashes, which do not lead out of it.
package enum ContainedPath {
  /// Returns the path for the name of an entry.
  /// - Parameter name: the name in the container.
  /// - Returns: the path without empty components and `.`, and with a trailing slash if the name
  ///   has one. Nil if the name is absolute, has a drive letter, contains `..`, or contains control
  ///   characters.
  package static func of(entry name: String) -> String? {
    let name = name.utf8.contains(0x2F) ? name : String(name.map { $0 == "\\" ? "/" : $0 })
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(where: { $0 < 0x20 }) else {
      return nil
    }
    let parts = name.split(separator: "/").filter { $0 != "." }
    guard let first = parts.first, !parts.contains("..") else { return nil }
    // Drive letters (C:\x) and UNC paths (\\server\x).
    let isDrive = first.utf8.count == 2 && first.hasSuffix(":")
    guard !isDrive, !parts.contains(where: { $0.hasPrefix("\\") }) else { return nil }
    return parts.joined(separator: "/") + (name.hasSuffix("/") ? "/" : "")
  }

  /// Resolves a reference within a container.
  /// - Parameters:
  ///   - reference: a relative reference, percent-encoded; query and fragment are ignored.
  ///     Backslashes count as slashes, because programs on Windows write them.
  ///   - file: the path of the file that contains the reference.
  /// - Returns: the path; nil if it leads out of the container, or if the reference is an absolute
  ///   URL.
  package static func resolve(_ reference: String, from file: String) -> String? {
    let path = String(
      reference.prefix { $0 != "?" && $0 != "#" }.map { $0 == "\\" ? "/" : $0 })
    let scheme = path.prefix { $0 != "/" }
    guard !scheme.contains(":"), !path.hasPrefix("//") else { return nil }
    var parts = path.hasPrefix("/") ? [] : file.split(separator: "/").dropLast().map(String.init)
    if path.isEmpty { return file }
    for part in path.split(separator: "/") {
      let part = decoded(part)
      guard !part.utf8.contains(where: { $0 < 0x20 || $0 == 0x2F }) else { return nil }
      switch part {
      case ".": break
      case "..":
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }

  /// Returns a key that is equal for all spellings of a path: percent-decoded, with slashes, in
  /// lower case. Nil if the path leads out of the container.
  static func key(of path: String) -> String? {
    var names: [String] = []
    let path = path.map { $0 == "\\" ? "/" : $0 }
    for name in decoded(Substring(String(path))).split(whereSeparator: { "/\\".contains($0) }) {
      switch name {
      case ".": break
      case "..":
        guard !names.isEmpty else { return nil }
        names.removeLast()
      default: names.append(name.lowercased())
      }
    }
    return names.joined(separator: "/")
  }

  private static func decoded(_ part: Substring) -> String {
    guard part.utf8.contains(0x25) else { return String(part) }
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
