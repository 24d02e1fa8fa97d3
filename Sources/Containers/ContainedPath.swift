/// A path within a container: names with slashes between them, none of which leads out of it.
package enum ContainedPath {
  /// The path that a name of an entry means.
  /// - Parameter name: the name as the container has it.
  /// - Returns: the path without empty names and `.`, with a slash at its end where the name has one; nil when
  ///   it leads out: from the root, of a drive, by `..`, or with characters that no name has.
  package static func of(entry name: String) -> String? {
    let name = name.utf8.contains(0x2F) ? name : String(name.map { $0 == "\\" ? "/" : $0 })
    guard !name.isEmpty, !name.hasPrefix("/"), !name.utf8.contains(where: { $0 < 0x20 }) else {
      return nil
    }
    let parts = name.split(separator: "/").filter { $0 != "." }
    guard let first = parts.first, !parts.contains("..") else { return nil }
    // C:\x, and \\server\x.
    let isDrive = first.utf8.count == 2 && first.hasSuffix(":")
    guard !isDrive, !parts.contains(where: { $0.hasPrefix("\\") }) else { return nil }
    return parts.joined(separator: "/") + (name.hasSuffix("/") ? "/" : "")
  }

  /// The path that a reference within a container means.
  /// - Parameters:
  ///   - reference: a relative reference, percent-encoded; query and fragment are ignored. Backslashes count as
  ///     slashes, because programs on Windows write them.
  ///   - file: the path of the file that has it.
  /// - Returns: the path; nil when it leads out, or is an absolute address.
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

  /// Returns a key that is equal for all spellings of a path: percent-decoded, with slashes, lower-cased. Nil when
  /// the path leads out of the container.
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
