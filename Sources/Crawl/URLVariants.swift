package import OfflineCache

/// Detects parts of URLs that are irrelevant to the content of pages, such as session ids that
/// change in every response. It compares the content of pages whose URLs differ in one part only.
///
/// A part is a query parameter, or a path segment that looks like an identifier. The *template* of
/// a part is the URL without it. A part is redundant in a template if pages with several of its
/// values had the same content and none had different content. A parameter is redundant on a whole
/// site if pages with different values had the same content in several templates and different
/// content in none. After a single page with different content, every value of the part is
/// followed, in that template and on the site.
package struct URLVariants: Sendable {
  private struct Part {
    /// `?` followed by the name of the parameter, or `/` followed by the index of the segment.
    var name: String
    var value: Substring
    /// The URL without the part.
    var template: String

    var isParameter: Bool { name.hasPrefix("?") }
  }

  /// The observations about a part in one template.
  private struct Observations: Sendable {
    /// The digest of the content of the first page with this template.
    var contentDigest: Int
    /// The digest of the value of the part in the URL of that page.
    var valueDigest: Int
    /// The number of pages with another value of the part and the same content.
    var equal = 0
    /// Whether a page with another value of the part had different content.
    var differs = false
  }

  /// The observations about a parameter on one site.
  private struct Site: Sendable {
    /// The number of templates in which pages with different values had the same content.
    var equalCount = 0
    /// Whether a page with another value had different content in any template.
    var differs = false
  }

  /// The number of URL parts that were found to be redundant.
  package private(set) var redundancyCount = 0
  private var observations: [Int: Observations] = [:]
  private var sites: [Int: Site] = [:]

  /// The number of pages with another value and the same content (`Observations.equal`) that makes
  /// a part redundant in one template.
  private static let minEqualPages = 3
  /// The number of templates with the same content for different values (`Site.equalCount`) that
  /// makes a parameter redundant on a site.
  private static let minObservations = 3
  /// The maximum number of pairs of a part and a template for which observations are stored.
  private static let maxObservations = 400_000
  /// The maximum number of parts of a URL that are compared.
  private static let maxParts = 8
  /// The minimum length in bytes of a value that looks like an identifier.
  private static let minTokenLength = 8

  package init() {}

  /// Records the content of a page of the crawl.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - content: a digest of the text of the page.
  package mutating func record(_ url: WebURL, content: Int) {
    for part in Self.parts(of: url) {
      let key = SeenTexts.digest(part.name + " " + part.template)
      let value = SeenTexts.digest(part.value)
      guard var observation = observations[key] else {
        if observations.count < Self.maxObservations {
          observations[key] = Observations(contentDigest: content, valueDigest: value)
        }
        continue
      }
      guard observation.valueDigest != value else { continue }
      let site = Self.site(of: part, at: url)
      if observation.contentDigest == content {
        observation.equal += 1
        if observation.equal == 1, part.isParameter { sites[site, default: Site()].equalCount += 1 }
        if observation.equal == Self.minEqualPages
          || sites[site]?.equalCount == Self.minObservations
        {
          redundancyCount += 1
        }
      } else {
        observation.differs = true
        sites[site, default: Site()].differs = true
      }
      observations[key] = observation
    }
  }

  /// Returns the URL without parts that are known to be redundant. URLs for which the result is the
  /// same lead to the same page.
  package func form(of url: WebURL) -> String {
    let redundant = Self.parts(of: url).filter { isRedundant($0, at: url) }
    guard !redundant.isEmpty else { return url.description }
    let names = Set(redundant.map(\.name))
    return Self.text(url) { !names.contains($0) }
  }

  private func isRedundant(_ part: Part, at url: WebURL) -> Bool {
    if let observation = observations[SeenTexts.digest(part.name + " " + part.template)] {
      if observation.differs { return false }
      if observation.equal >= Self.minEqualPages { return true }
    }
    guard part.isParameter, Self.isToken(part.value), let site = sites[Self.site(of: part, at: url)]
    else { return false }
    return site.equalCount >= Self.minObservations && !site.differs
  }

  /// Returns the key in `sites` of a parameter on the site of a URL.
  private static func site(of part: Part, at url: WebURL) -> Int {
    SeenTexts.digest(part.name + " " + url.origin)
  }

  private static func parts(of url: WebURL) -> [Part] {
    var parts: [Part] = []
    forEachPart(of: url) { name, value in
      guard parts.count < maxParts else { return }
      parts.append(Part(name: name, value: value, template: text(url) { $0 != name }))
    }
    return parts
  }

  private static func forEachPart(of url: WebURL, _ visit: (String, Substring) -> Void) {
    for (index, segment) in url.path.split(separator: "/").enumerated() where isToken(segment) {
      visit("/\(index)", segment)
    }
    for pair in (url.query ?? "").split(separator: "&") {
      let (name, value) = Self.pair(pair)
      visit("?" + name, value)
    }
  }

  private static func pair(_ text: Substring) -> (name: String, value: Substring) {
    let name = text.prefix { $0 != "=" }
    return (String(name), text.dropFirst(name.count + 1))
  }

  /// Returns a URL with only some of its parts; path segments that are left out are replaced by
  /// `*`.
  private static func text(_ url: WebURL, where isIn: (String) -> Bool) -> String {
    let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
    var index = -1
    let path = segments.map { segment in
      if !segment.isEmpty { index += 1 }
      return isToken(segment) && !isIn("/\(index)") ? "*" : segment
    }
    let query = (url.query ?? "").split(separator: "&").filter { isIn("?" + pair($0).name) }
    return url.origin + path.joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns whether a value looks like an identifier: printable ASCII of at least `minTokenLength`
  /// bytes, with a digit and without a dot.
  private static func isToken(_ value: Substring) -> Bool {
    value.utf8.count >= minTokenLength && value.utf8.contains { (0x30...0x39).contains($0) }
      && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ".") }
  }
}
