/// A builder for a line with the authors of an item.
struct AuthorListBuilder {
  private var firstKind = ""
  private var names: [String] = []

  /// The maximum number of authors that are listed.
  private static let maxNames = 20

  /// Appends a name to a line. The name is skipped if it comes from another kind of element than
  /// the first name (`dc:creator` instead of `author`, for example), because elements of different
  /// kinds repeat the same authors. It replaces names that are only e-mail addresses.
  mutating func add(_ name: String, as kind: String, to line: inout String) {
    if names.isEmpty
      || kind != firstKind && !name.isEmpty && names.allSatisfy(Self.isMailAddress)
    {
      self.firstKind = kind
      names = []
    }
    guard !name.isEmpty, kind == self.firstKind, !names.contains(name) else { return }
    if names.count == Self.maxNames {
      if !line.hasSuffix(" …") { line += " …" }
      return
    }
    names.append(name)
    line = names.joined(separator: ", ")
  }

  /// Returns whether a name is only an e-mail address, which may be in angle brackets.
  static func isMailAddress(_ name: String) -> Bool {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !name.contains(" ")
  }
}
