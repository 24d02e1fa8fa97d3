package import Foundation
package import OfflineCache

/// A memento: a capture of a page in a web archive, as listed in a TimeMap (RFC 7089 §2.2.4).
package struct Memento: Sendable, Equatable {
  /// The absolute URL of the capture in the archive.
  package var url: String
  /// The date of the capture.
  package var date: Date

  package init(url: String, date: Date) {
    (self.url, self.date) = (url, date)
  }

  /// The URL of the unmodified capture, without a banner and with original links, for archives with
  /// the usual URL format (see `originalURL(of:)`); otherwise the same URL.
  package var rawURL: String { Self.rawURL(of: url) }

  /// Returns `rawURL` for any URL in an archive.
  static func rawURL(of url: String) -> String {
    guard let stamp = timestampRange(in: url) else { return url }
    return "\(rawStart(url, stamp))\(url[stamp.upperBound...])"
  }

  /// Returns the URL that was captured, for archives whose URLs contain it after a date of 14
  /// digits: `https://archive.test/web/20241103101500/https://example.org/`.
  /// - Parameter url: A URL in an archive.
  /// - Returns: The captured URL; nil for URLs in any other format.
  package static func originalURL(of url: String) -> String? {
    timestampRange(in: url).map { String(url[$0.upperBound...]) }
  }

  /// Returns the URL of the unmodified capture of another page, in the same archive and with the
  /// same date.
  /// - Parameters:
  ///   - page: The page.
  ///   - url: A URL in the archive, with a date of 14 digits.
  /// - Returns: The URL; nil for archives with another URL format.
  package static func rawURL(of page: WebURL, inArchiveOf url: WebURL) -> WebURL? {
    let url = url.description
    return timestampRange(in: url).flatMap { WebURL("\(rawStart(url, $0))\(page)") }
  }

  /// Returns the part of the URL of an unmodified capture before the URL that was captured.
  private static func rawStart(_ url: String, _ stamp: Range<String.Index>) -> String {
    "\(url[..<stamp.lowerBound])\(url[stamp].prefix(digitCount))id_/"
  }

  private static let digitCount = 14

  /// Returns the range of the date, its flag (`id_`, `im_`) and the slash after it, if a URL
  /// follows.
  private static func timestampRange(in url: String) -> Range<String.Index>? {
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
      let next = bytes.index(after: end)
      let rest = url[next...].prefix(8).lowercased()
      if rest.hasPrefix("http://") || rest.hasPrefix("https://") { return start..<next }
    }
    return nil
  }
}
