package import Foundation
package import OfflineCache

/// A parser for TimeMaps in `application/link-format` (RFC 6690 §2, RFC 7089 §5), fed with pieces
/// of any length.
package struct TimeMapReader: Sendable {
  private let base: WebURL
  private let now: Date
  private var timeMap = TimeMap()
  private var links = LinkSplitter()

  /// Creates a parser.
  /// - Parameters:
  ///   - base: The URL of the TimeMap, against which its links are resolved.
  ///   - now: The current time; captures in the future are ignored.
  package init(base: WebURL, now: Date) {
    (self.base, self.now) = (base, now)
  }

  /// Parses the next piece.
  package mutating func parse(_ bytes: [UInt8]) {
    for byte in bytes {
      if let link = links.consume(byte) { parse(link: link) }
    }
  }

  /// Completes parsing.
  /// - Returns: The TimeMap.
  package mutating func finish() -> TimeMap {
    if let link = links.finish() { parse(link: link) }
    timeMap.finish()
    return timeMap
  }

  private mutating func parse(link bytes: [UInt8]) {
    guard let link = LinkValue(bytes), let relation = link["rel"],
      let url = base.resolve(link.target)?.withoutFragment, url.isWeb
    else { return }
    let relations = Set(relation.lowercased().split(separator: " "))
    let date = link["datetime"].flatMap { HTTPDate.parse($0, now: now) }
    if relations.contains("memento"), let date, date <= now {
      timeMap.add(Memento(url: url.description, date: date))
    } else if relations.contains("timemap"), !relations.contains("self"),
      url != base.withoutFragment, link["type"].map({ $0.hasPrefix("application/link") }) ?? true
    {
      let until = link["until"].flatMap { HTTPDate.parse($0, now: now) }
      timeMap.add(TimeMap.Part(url: url, lastDate: until))
    }
  }
}
