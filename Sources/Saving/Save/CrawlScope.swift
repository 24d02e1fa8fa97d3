import Crawl
import Foundation

/// The bounds within which links were followed from a pinned page when it was saved. A check
/// follows the same links again without using the network.
package struct CrawlScope: Codable, Hashable, Sendable {
  /// The maximum number of links between the pinned page and another page.
  package var depth: Int
  var sameHost: Bool?
  var include: [String]?
  var exclude: [String]?
  var maxPages: Int?
  var noImages: Bool?
  var ignoreRobots: Bool?
  /// True if requests carried cookies or passwords of the user, so that links that sign out were
  /// not followed; otherwise nil.
  var signedIn: Bool?
  /// The first page of the save, which identifies the save. The pages of one save share its limits;
  /// nil if the save had no limits.
  var firstPage: String?

  private enum CodingKeys: String, CodingKey {
    case depth = "depth"
    case sameHost = "sameHost"
    case include = "include"
    case exclude = "exclude"
    case maxPages = "maxPages"
    case noImages = "noImages"
    case ignoreRobots = "ignoreRobots"
    case signedIn = "signedIn"
    case firstPage = "with"
  }

  /// Creates the scope of a request; nil if no link was followed and images were included.
  init?(_ request: SaveRequest) {
    let bounds = request.bounds
    guard bounds.depth > 0 || !request.includesImages else { return nil }
    depth = bounds.depth
    sameHost = bounds.staysOnHost ? true : nil
    include = bounds.includes.isEmpty ? nil : bounds.includes
    exclude = bounds.excludes.isEmpty ? nil : bounds.excludes
    maxPages = bounds.maxPages
    noImages = request.includesImages ? nil : true
    ignoreRobots = request.obeysRobots ? nil : true
    signedIn = bounds.isSignedIn ? true : nil
    if bounds.maxPages != nil || bounds.maxBytes != nil { firstPage = request.pages.first }
  }

  /// Parses the text stored in the library; nil if it is invalid.
  package init?(text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maxLength,
      let trip = try? JSONDecoder().decode(CrawlScope.self, from: Data(text.utf8)),
      (0...100).contains(trip.depth), trip.maxPages ?? 1 > 0
    else { return nil }
    self = trip
  }

  private static let maxLength = 1 << 16

  /// The text to store in the library.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Changes a request so that it follows the same links.
  package func apply(to request: inout SaveRequest) {
    request.bounds.depth = depth
    request.bounds.staysOnHost = sameHost ?? false
    (request.bounds.includes, request.bounds.excludes) = (include ?? [], exclude ?? [])
    request.bounds.maxPages = maxPages
    request.includesImages = !(noImages ?? false)
    request.obeysRobots = !(ignoreRobots ?? false)
    request.bounds.isSignedIn = signedIn ?? false
  }
}
