package import Foundation
package import ReaderMode
package import OfflineCache

/// A request to a `PageLoader`.
package struct LoadRequest: Sendable, Equatable {
  /// The typed text, or an absolute URL.
  package var target: String
  /// The origin of the request, which determines the allowed schemes.
  package var origin: Origin
  /// Whether `target` is a command-line argument, which may name descriptors that the process
  /// inherited.
  package var isArgument = false
  /// The load options.
  package var options: LoadOptions
  /// The view; nil for the one in the settings.
  package var view: PageViewMode?
  /// The form content to send with POST; nil for GET.
  package var content: FormContent?
  /// The date for which a capture of a web archive is wanted; nil for the page itself.
  package var mementoDate: Date?
  /// Whether a rendering by a browser is wanted. It is created now, unless the network is not used
  /// and an older one exists.
  package var isRendered = false
  /// The file name that the followed link suggests for its target; empty for none.
  package var suggestedName = ""
  /// The options of reader view, for pages that the settings open in it.
  package var reader = ReaderOptions()

  package init(
    _ target: String, origin: Origin = .user, options: LoadOptions = LoadOptions(),
    view: PageViewMode? = nil, content: FormContent? = nil
  ) {
    self.content = content
    self.target = target
    self.origin = origin
    self.options = options
    self.view = view
  }

  /// Creates a request for an address.
  package init(
    _ address: DocumentAddress, origin: Origin = .user, options: LoadOptions = LoadOptions(),
    view: PageViewMode? = nil, content: FormContent? = nil
  ) {
    self.init(address.text, origin: origin, options: options, view: view, content: content)
  }

  /// The target as messages name it: the URL of standard input instead of `-`.
  package var displayedTarget: String {
    origin == .user && Address.isStandardInput(target) ? Address.standardInput.url.text : target
  }

  /// The URL to request, without credentials; nil for a form to send, and for everything that is
  /// not on the web.
  package var webURL: WebURL? {
    let address: Address? =
      switch origin {
      case .user: try? Address(typed: target)
      case .link(let page): try? Address(link: target, from: page)
      }
    guard content == nil, case .web(let url)? = address else { return nil }
    return url.withoutCredentials
  }

  /// The origin of a request.
  package enum Origin: Sendable, Equatable {
    /// The user typed the target: `example.org`, a path, `about:` and `file:` are allowed.
    case user
    /// A link on the page with this URL. A web page cannot link to `file:` or `about:` URLs.
    case link(from: DocumentAddress)
  }
}
