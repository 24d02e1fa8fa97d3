import Document
package import Foundation
import Formats
import Library
import OfflineCache
import ReaderMode

/// The outcome of rendering a saved page.
package struct RenderOutcome: Sendable, Equatable {
  /// The URL of the page.
  package var url: String
  package var result: Result
  /// The date of the earlier rendering that is kept because rendering the page again failed; nil
  /// otherwise.
  package var previousDate: Date?

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
  package var isAvailable: Bool { isSaved || previousDate != nil }
}

extension Renderer {
  /// Returns whether the page was rendered before.
  package func hasRendered(_ url: String) -> Bool { latestRendering(of: url) != nil }

  /// Renders a page again if it was rendered before.
  /// - Parameter url: the URL of the page.
  /// - Returns: the outcome; nil if the page was not rendered before.
  package func renderAgain(_ url: String) -> RenderOutcome? {
    guard let previous = latestRendering(of: url) else { return nil }
    var outcome = renderSavedPage(url)
    if !outcome.isSaved { outcome.previousDate = previous.contentDate }
    return outcome
  }

  /// Renders a saved page.
  /// - Parameter url: the URL of the page.
  /// - Returns: the outcome.
  package func renderSavedPage(_ url: String) -> RenderOutcome {
    do throws(RenderFailure) {
      guard let address = WebURL(url) else { throw .notOfTheWeb }
      let rendered = try render(address)
      guard rendered.stored != nil else { throw .page("the page itself is not saved") }
      try sync()
      let result = RenderOutcome.Result.saved(
        by: rendered.page.browserDescription, size: rendered.page.content.count)
      return RenderOutcome(url: url, result: result)
    } catch {
      return RenderOutcome(url: url, result: .failed(error.description))
    }
  }
}
