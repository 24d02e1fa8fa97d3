import Reader
import Crawl
import Foundation

/// How far the links of a kept page were followed when it was saved, so that the same links can be walked again
/// without a network.
package struct CrawlScope: Codable, Hashable, Sendable {
  /// How many links lead to the last pages.
  package var depth: Int
  var sameHost: Bool?
  var include: [String]?
  var exclude: [String]?
  var maxPages: Int?
  var noImages: Bool?
  var ignoreRobots: Bool?
  /// Tells pages that share a limit with each other from those of other saves: the first of them.
  var with: String?

  /// The trip of a request; nil when no link was followed and images came with the pages.
  init?(_ request: SaveRequest) {
    let bounds = request.bounds
    guard bounds.depth > 0 || !request.includesImages else { return nil }
    depth = bounds.depth
    sameHost = bounds.staysOnHost ? true : nil
    include = bounds.includes.isEmpty ? nil : bounds.includes
    exclude = bounds.excludes.isEmpty ? nil : bounds.excludes
    maxPages = bounds.mostPages
    noImages = request.includesImages ? nil : true
    ignoreRobots = request.obeysRobots ? nil : true
    if bounds.mostPages != nil || bounds.mostBytes != nil { with = request.pages.first }
  }

  /// Reads what the library has; nil for what is none.
  package init?(text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.lengthLimit,
      let trip = try? JSONDecoder().decode(CrawlScope.self, from: Data(text.utf8)),
      (0...100).contains(trip.depth), trip.maxPages ?? 1 > 0
    else { return nil }
    self = trip
  }

  private static let lengthLimit = 1 << 16

  /// What the library has.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Makes a request walk the same links.
  package func apply(to request: inout SaveRequest) {
    request.bounds.depth = depth
    request.bounds.staysOnHost = sameHost ?? false
    (request.bounds.includes, request.bounds.excludes) = (include ?? [], exclude ?? [])
    request.bounds.mostPages = maxPages
    request.includesImages = !(noImages ?? false)
    request.obeysRobots = !(ignoreRobots ?? false)
  }
}
