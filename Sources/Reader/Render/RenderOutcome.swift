import Document
package import Foundation
import Formats
import Library
package import OfflineCache
import ReaderMode

/// The outcome of rendering a saved page.
package struct RenderOutcome: Sendable, Equatable {
  /// The URL of the page.
  package var url: String
  package var result: Result
  /// The date of the earlier rendering that is kept because rendering the page again failed.
  package var previous: Date?

  /// The result of the rendering.
  package enum Result: Sendable, Equatable {
    /// The rendering is saved, with the browser (`chromium 156`) and the size in bytes.
    case saved(by: String, size: Int)
    /// Rendering failed, with the reason.
    case failed(String)
  }

  /// Whether the new rendering is saved.
  package var isSaved: Bool { if case .saved = result { true } else { false } }
  /// Whether a rendering is available, even if it is an earlier one.
  package var isThere: Bool { isSaved || previous != nil }
}

extension Renderer {
  /// Returns whether the page was rendered before.
  package func hasRendered(_ url: String) -> Bool { latest(of: url) != nil }

  /// Renders a page again if it was rendered before.
  /// - Parameter url: the URL of the page.
  /// - Returns: the outcome; nil if the page was not rendered before.
  package func outcome(again url: String) -> RenderOutcome? {
    guard let previous = latest(of: url) else { return nil }
    var outcome = outcome(of: url)
    if !outcome.isSaved { outcome.previous = previous.contentDate }
    return outcome
  }

  /// Renders a saved page.
  /// - Parameter url: the URL of the page.
  /// - Returns: the outcome.
  package func outcome(of url: String) -> RenderOutcome {
    do throws(RenderFailure) {
      guard let address = WebURL(url) else { throw .notOfTheWeb }
      let rendered = try render(address)
      guard rendered.stored != nil else { throw .page("it is not saved itself") }
      try sync()
      let result = RenderOutcome.Result.saved(
        by: rendered.page.browserWords, size: rendered.page.content.count)
      return RenderOutcome(url: url, result: result)
    } catch {
      return RenderOutcome(url: url, result: .failed(error.description))
    }
  }
}

/// The rendering of a saved page by a browser, as shown in lists.
package struct SavedRendering: Sendable, Equatable {
  /// The title of the rendering; empty when it has none.
  package var title: String
  /// The time of the rendering.
  package var date: Date
  /// The browser that rendered it (`chromium 156`).
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
      guard let version = try archive.known(of: RenderedPage.key(of: key)).first else { continue }
      let title = PageWatch.process(key) { Self.title(of: version, key, in: archive) }
      let page = RenderedPage(
        key: key, url: key, browser: version.browser ?? "", source: nil, date: version.contentDate,
        content: [])
      found[key] = SavedRendering(
        title: title ?? "", date: version.contentDate, browser: page.browserWords)
    }
    return found
  }

  /// Returns the title of a rendering: of its head where that has one, since parsing all of it
  /// takes long.
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
  /// Maximum size in bytes of a rendering whose title is read.
  private static let maxLength: Int64 = 16 << 20
}
