package import OfflineCache

/// The rules of a site's robots.txt (RFC 9309) for one crawler.
package struct RobotsRules: Sendable, Equatable {
  /// The rules for this crawler, in the order of the file.
  private var rules: [Rule] = []
  /// The minimum time between two requests that the site asks for (`Crawl-delay`, which is not part
  /// of RFC 9309); nil if it asks for none.
  package private(set) var crawlDelay: Duration?
  /// The URLs of sitemaps, as written in the file.
  package private(set) var sitemaps: [String] = []

  private struct Rule: Sendable, Equatable {
    let pattern: RobotsPattern
    let isAllowed: Bool
  }

  /// Rules that allow everything.
  package static let allowingAll = RobotsRules()
  /// Rules that disallow everything.
  package static let allowingNothing: RobotsRules = {
    var rules = RobotsRules()
    rules.rules = [Rule(pattern: RobotsPattern("/".utf8), isAllowed: false)]
    return rules
  }()
  /// The product token of offread in robots.txt files.
  package static let productToken = "offread"
  /// The maximum number of bytes of a file that are parsed (RFC 9309 §2.5).
  package static let maxSize = 500 * 1024

  private init() {}

  /// Parses a file.
  ///
  /// Invalid lines are ignored, so any other content (usually an error page) allows everything.
  /// - Parameters:
  ///   - bytes: the content; only the first `maxSize` bytes are parsed.
  ///   - product: the product token of the crawler, in upper or lower case.
  package init(_ bytes: [UInt8], product: String = productToken) {
    self.init(RobotsFile(bytes), product: Array(product.lowercased().utf8))
  }

  /// Creates the rules for the response to a robots.txt request, after redirects (RFC 9309 §2.3.1).
  ///
  /// If the file is missing (4xx) or a redirect is unresolved, everything is allowed. If the file
  /// is unavailable (5xx, no response, or 429), everything is disallowed.
  /// - Parameters:
  ///   - status: the status code, or nil if there was no response.
  ///   - body: the content.
  ///   - product: the product token of the crawler.
  package init(status: Int?, body: [UInt8], product: String = productToken) {
    switch status ?? 500 {
    case 200..<300: self.init(body, product: product)
    case 429: self = .allowingNothing
    case 300..<500: self = .allowingAll
    default: self = .allowingNothing
    }
  }

  private init(_ file: RobotsFile, product: [UInt8]) {
    // §2.2.1: all groups that name the crawler are combined; if there are none, the groups for `*`
    // are.
    var chosen = file.groups.filter { $0.agents.contains(product) }
    if chosen.isEmpty { chosen = file.groups.filter { $0.agents.contains([UInt8(ascii: "*")]) } }
    for group in chosen {
      for (pattern, isAllowed) in group.rules {
        rules.append(Rule(pattern: RobotsPattern(pattern), isAllowed: isAllowed))
      }
      if let delay = group.delay { crawlDelay = max(delay, crawlDelay ?? .zero) }
    }
    sitemaps = file.sitemaps
  }

  /// Returns whether a URL of the site may be fetched. The matching rule with the longest pattern
  /// decides; if an allow and a disallow rule have the same length, the URL may be fetched (RFC
  /// 9309 §2.2.2). If no rule matches, the URL may be fetched.
  package func allows(_ url: WebURL) -> Bool {
    guard !rules.isEmpty, url.path != "/robots.txt" else { return true }
    let target = RobotsPattern.target(url.path + (url.query.map { "?" + $0 } ?? ""))
    var best: (length: Int, isAllowed: Bool) = (-1, true)
    for rule in rules {
      let length = rule.pattern.length
      guard length > best.length || (length == best.length && rule.isAllowed && !best.isAllowed),
        rule.pattern.matches(target)
      else { continue }
      best = (length, rule.isAllowed)
    }
    return best.isAllowed
  }

  /// Returns the robots.txt URL that governs `url`; nil unless the scheme is http(s).
  package static func robotsURL(for url: WebURL) -> WebURL? {
    url.isWeb
      ? WebURL(scheme: url.scheme, host: url.host, port: url.port, path: "/robots.txt") : nil
  }
}
