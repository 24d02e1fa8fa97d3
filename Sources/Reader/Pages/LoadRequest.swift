package import Foundation
package import ReaderMode
package import OfflineCache

/// What the reader asks a `PageLoader` for.
package struct LoadRequest: Sendable, Equatable {
  /// An address as typed, or an absolute URL.
  package var target: String
  /// Who asks: decides what schemes are allowed.
  package var origin: Origin
  /// Whether it is an argument of the command line, which may name descriptors that this process was started with.
  package var isArgument = false
  /// How to load.
  package var options: LoadOptions
  /// How the page is read; nil as the settings say.
  package var view: ReadingView?
  /// What is sent with POST; nil for GET.
  package var content: FormContent?
  /// The page as it was about this time, as an archive of the web has it; nil for the page itself.
  package var mementoDate: Date?
  /// Whether it is the text that a browser makes of it: made now, or before where nothing is asked of the network.
  package var isRendered = false
  /// How reader mode shows it where the settings ask for that.
  package var reader = ReaderOptions()

  package init(
    _ target: String, origin: Origin = .user, options: LoadOptions = LoadOptions(),
    view: ReadingView? = nil, content: FormContent? = nil
  ) {
    self.content = content
    self.target = target
    self.origin = origin
    self.options = options
    self.view = view
  }

  /// Who asks for a page.
  package enum Origin: Sendable, Equatable {
    /// The user typed it: `example.org`, a path, `about:` and `file:` are allowed.
    case user
    /// A link on the page with this URL: a page of the web never reaches `file:` or `about:`.
    case link(from: String)
  }
}
