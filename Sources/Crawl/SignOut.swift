import OfflineCache

/// Recognizes links that sign the user out. A crawl with the user's cookies or passwords must not
/// follow such links, because all later pages would be sign-in pages.
enum SignOut {
  /// Returns whether a URL signs the user out. This is so if the last segment of its path is a name
  /// such as `logout` or `signout.php`, or if a parameter is `logout` or has such a value, as in
  /// `action=logout`. Longer names, such as those of articles, do not count; neither do names
  /// without an extension in the path of a wiki or documentation.
  static func isMatch(_ url: WebURL) -> Bool {
    let segments = url.path.split(separator: "/")
    let segment = segments.last ?? ""
    let isArticle = segments.dropLast().contains { articleDirectories.contains($0.lowercased()) }
    let parts = segment.split(separator: ".", omittingEmptySubsequences: false)
    if let first = parts.first, isName(first),
      parts.count == 1 && !isArticle
        || parts.count == 2 && extensions.contains(parts[1].lowercased())
    {
      return true
    }
    return (url.query ?? "").split(separator: "&").contains { parameter in
      guard let equals = parameter.firstIndex(of: "=") else { return isName(parameter) }
      let key = parameter[..<equals].lowercased()
      return parameterNames.contains(key) && isName(parameter[equals...].dropFirst())
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    names.contains(text.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  private static let names: Set<String> = ["logout", "logoff", "signout", "signoff"]
  private static let extensions: Set<String> = ["php", "asp", "aspx", "do", "jsp", "cgi", "action"]
  /// The names of directories whose pages may describe how to sign out.
  private static let articleDirectories: Set<String> = [
    "wiki", "doc", "docs", "documentation", "manual", "reference", "cli",
  ]
  private static let parameterNames: Set<String> = ["action", "do", "mode", "op", "cmd", "act"]
}
