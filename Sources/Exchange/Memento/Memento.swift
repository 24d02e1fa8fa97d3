package import Foundation
package import OfflineCache

/// A capture of a page in an archive of the web, as a TimeMap names it (RFC 7089 §2.2.4).
package struct Memento: Sendable, Equatable {
  /// Where the archive gives it: an absolute URL.
  package var url: String
  /// When the page was as it shows it.
  package var date: Date

  package init(url: String, date: Date) {
    (self.url, self.date) = (url, date)
  }

  /// The address that gives the bytes as they were captured, where the archive writes its addresses
  /// as above: without a banner, links as they were. The same address otherwise.
  package var rawURL: String { Self.rawURL(of: url) }

  /// As `rawURL`, of any address in an archive.
  static func rawURL(of url: String) -> String {
    guard let stamp = stamp(in: url) else { return url }
    return "\(rawStart(url, stamp))\(url[stamp.upperBound...])"
  }

  /// The address of what was captured, as far as archives that write it behind a date of 14 digits
  /// say it: `https://archive.test/web/20241103101500/https://example.org/`.
  /// - Parameter url: an address in an archive.
  /// - Returns: nil for other addresses.
  package static func originalURL(of url: String) -> String? {
    stamp(in: url).map { String(url[$0.upperBound...]) }
  }

  /// The address that gives the bytes of another page of the same archive and date.
  /// - Parameters:
  ///   - page: the page.
  ///   - url: an address in the archive, with a date of 14 digits.
  /// - Returns: nil for an archive that writes its addresses in another way.
  package static func url(of page: WebURL, beside url: WebURL) -> WebURL? {
    let url = url.description
    return stamp(in: url).flatMap { WebURL("\(rawStart(url, $0))\(page)") }
  }

  private static func rawStart(_ url: String, _ stamp: Range<String.Index>) -> String {
    "\(url[..<stamp.lowerBound])\(url[stamp].prefix(digitCount))id_/"
  }

  private static let digitCount = 14

  /// The date, its letters (`id_`, `im_`) and the slash behind it, where an address comes next.
  private static func stamp(in url: String) -> Range<String.Index>? {
    let bytes = url.utf8
    var start = bytes.startIndex
    while let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
      start = bytes.index(after: slash)
      let digits = bytes[start...].prefix { (0x30...0x39).contains($0) }
      guard digits.count == digitCount else { continue }
      var end = digits.endIndex
      let letters = bytes[end...].prefix { (0x61...0x7A).contains($0) }
      if letters.count == 2, bytes[letters.endIndex...].first == UInt8(ascii: "_") {
        end = bytes.index(after: letters.endIndex)
      }
      guard bytes[end...].first == UInt8(ascii: "/") else { continue }
      let behind = bytes.index(after: end)
      let rest = url[behind...].prefix(8).lowercased()
      if rest.hasPrefix("http://") || rest.hasPrefix("https://") { return start..<behind }
    }
    return nil
  }
}
