import Foundation

/// The names of a site, from its metadata and its URL. The titles of its pages usually end with one
/// of them.
struct SiteNames {
  /// The comparison keys of the names, without spaces because host names have none.
  private var keys: Set<String> = []
  let isHomePage: Bool

  /// Collects the names of a site from its metadata, and from URLs of the page that are absolute.
  init(names: [String] = [], urls: [String] = []) {
    let absolute = urls.filter { !Self.host(of: $0).isEmpty }
    isHomePage = !absolute.isEmpty && absolute.allSatisfy(Self.isHomePageURL)
    for name in names { keys.insert(Self.comparisonKey(name)) }
    for address in urls { add(host: Self.host(of: address)) }
    keys.remove("")
  }

  /// Whether a part of a title is exactly one of the names.
  func contains(_ part: some StringProtocol) -> Bool {
    !keys.isEmpty && keys.contains(Self.comparisonKey(part))
  }

  /// Adds the labels of a host and each run of consecutive labels, except the top-level domain
  /// alone: "blog", "example", "blogexample", "examplecom" and "blogexamplecom" for
  /// `www.blog.example.com`.
  private mutating func add(host: Substring) {
    var labels = host.lowercased().split(separator: ".")
    if labels.first == "www" { labels.removeFirst() }
    guard labels.count > 1, labels.count <= Self.maxLabels, host.contains(where: \.isLetter) else {
      return
    }
    let parts = labels.map { Self.comparisonKey($0) }
    for start in parts.indices.dropLast() {
      var key = ""
      for part in parts[start...] {
        key += part
        if key.count > 1 { keys.insert(key) }
      }
    }
  }

  private static let maxLabels = 8

  /// Whether an absolute URL leads to the home page of a site.
  private static func isHomePageURL(_ url: String) -> Bool {
    let path = indexAfterScheme(url).map { url[$0...] }?.drop { $0 != "/" }
    return path.map { $0.isEmpty || $0 == "/" } ?? false
  }

  /// Returns the index after the first `://` of an absolute URL; nil if there is none.
  private static func indexAfterScheme(_ url: String) -> String.Index? {
    let bytes = url.utf8
    var index = bytes.startIndex
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      index = bytes.index(after: colon)
      if bytes[index...].starts(with: "//".utf8) { return bytes.index(index, offsetBy: 2) }
    }
    return nil
  }

  /// Returns the host of an absolute URL, or an empty string.
  static func host(of url: String) -> Substring {
    guard let start = indexAfterScheme(url) else { return "" }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    return authority.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
  }

  /// Returns the letters and digits of a name, without case and diacritics, because host names have
  /// neither.
  private static func comparisonKey(_ name: some StringProtocol) -> String {
    if let key = name.plainKey() { return key }
    let folded = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    return String(folded.filter { $0.isLetter || $0.isNumber })
  }
}
