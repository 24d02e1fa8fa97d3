package import Profiles
import Document
package import Foundation
import Formats
import Library
package import OfflineCache
import ReaderMode

/// The rendering of a saved page by a browser, as shown in lists.
package struct SavedRendering: Sendable, Equatable {
  /// The title of the rendering; empty when it has none.
  package var title: String
  /// The time of the rendering.
  package var date: Date
  /// The browser that rendered the page (`chromium 156`).
  package var browser: String

  /// Returns the latest renderings of some pages.
  /// - Parameters:
  ///   - keys: the cache keys of the pages.
  ///   - profile: the profile with the archive.
  /// - Returns: the renderings that exist, by the keys of their pages.
  /// - Throws: `ArchiveError` when the index cannot be read.
  package static func latest(
    of keys: [String], in profile: Profile
  ) throws(ArchiveError) -> [String: SavedRendering] {
    let archive = profile.cache.archive
    var found: [String: SavedRendering] = [:]
    for key in keys {
      guard let version = try archive.indexedVersions(of: RenderedPage.key(of: key)).first else {
        continue
      }
      let title = PageWatch.process(key) { Self.title(of: version, key, in: archive) }
      let page = RenderedPage(
        key: key, url: key, browser: version.browser ?? "", source: nil, date: version.contentDate,
        content: [])
      found[key] = SavedRendering(
        title: title ?? "", date: version.contentDate, browser: page.browserDescription)
    }
    return found
  }

  /// Returns the title of a rendering; empty if there is none, or the rendering is too long. The
  /// beginning is parsed first, since parsing all of it takes long.
  private static func title(
    of version: StoredResponse, _ key: String, in archive: Archive
  ) -> String {
    guard version.length <= maxLength, let body = try? archive.body(of: version) else { return "" }
    let url = version.renderedURL ?? key
    func title(_ content: [UInt8]) -> String {
      Document(bytes: content, mediaType: "text/html", charset: "utf-8", url: url).title
    }
    var content: [UInt8] = []
    while content.count < headLength, let chunk = (try? body.next()) ?? nil {
      content += chunk
      guard let end = content.firstRange(of: Array("</title>".utf8)) else { continue }
      let found = title(Array(content[..<end.upperBound]))
      if !found.isEmpty { return found }
      break
    }
    return title(content + ((try? body.rest()) ?? []))
  }

  /// The number of bytes in which the title of a rendering is looked for first.
  private static let headLength = 1 << 16
  /// Maximum size in bytes of a rendering whose title is read; the title of a larger one is empty.
  private static let maxLength: Int64 = 16 << 20
}
