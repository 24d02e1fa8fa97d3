package import OfflineCache

/// What the robots.txt of a site lets a crawler do (RFC 9309), read for one crawler.
package struct RobotsRules: Sendable, Equatable {
  /// The rules that are for this crawler, in the order of the file.
  private var rules: [Rule] = []
  /// How many seconds the site asks for between two requests (`Crawl-delay`, which RFC 9309 does
  /// not have), or nil.
  package private(set) var crawlDelay: Duration?
  /// The addresses of the site's maps, as the file has them.
  package private(set) var sitemaps: [String] = []

  private struct Rule: Sendable, Equatable {
    let pattern: RobotsPattern
    let isAllowed: Bool
  }

  /// Everything may be fetched.
  package static let allowingAll = RobotsRules()
  /// Nothing may be fetched.
  package static let allowingNothing: RobotsRules = {
    var rules = RobotsRules()
    rules.rules = [Rule(pattern: RobotsPattern("/".utf8), isAllowed: false)]
    return rules
  }()
  /// The name by which sites can address this program.
  package static let productToken = "offread"
  /// How much of a file is read, in bytes (RFC 9309 §2.5).
  package static let sizeLimit = 500 * 1024

  private init() {}

  /// Reads a file.
  ///
  /// Lines that are no rules are passed over, so whatever else a server sends (mostly its page for
  /// a missing file) allows everything.
  /// - Parameters:
  ///   - bytes: the content; what is beyond `sizeLimit` does not count.
  ///   - product: the name of the crawler, compared without case.
  package init(_ bytes: [UInt8], product: String = productToken) {
    self.init(RobotsFile(bytes), product: Array(product.lowercased().utf8))
  }

  /// Reads the answer to the request for a site's robots.txt, redirects followed (RFC 9309 §2.3.1).
  ///
  /// A file that does not exist (4xx) allows everything, and so do redirects that lead nowhere; a
  /// site that cannot say (5xx, no answer, or 429: too busy) allows nothing.
  /// - Parameters:
  ///   - status: the status code, or nil when there was no answer.
  ///   - body: the content.
  ///   - product: the name of the crawler.
  package init(status: Int?, body: [UInt8], product: String = productToken) {
    switch status ?? 500 {
    case 200..<300: self.init(body, product: product)
    case 429: self = .allowingNothing
    case 300..<500: self = .allowingAll
    default: self = .allowingNothing
    }
  }

  private init(_ file: RobotsFile, product: [UInt8]) {
    // §2.2.1: all groups that name the crawler count as one; without any, those of `*`.
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

  /// Whether a URL of the site may be fetched: the rule with the longest pattern decides, of two
  /// the one that allows (RFC 9309 §2.2.2).
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

  /// The address of the file that is for a URL, or nil when it is none of the web.
  package static func address(for url: WebURL) -> String? {
    url.isWeb ? url.origin + "/robots.txt" : nil
  }
}
