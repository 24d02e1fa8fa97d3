import Pages
import OfflineCache

/// Records which documents and redirects name the URLs that a browser requests. If a URL is named
/// by a document or a redirect on the public network, the URL itself must be on the public network.
struct RenderSources: Sendable {
  /// Whether the document of a frame may request only URLs on the public network, by the identifier
  /// of the frame.
  private var frames: [String: Bool] = [:]
  /// The redirect chains, by the identifier of the request whose response is their last redirect.
  private var redirects: [String: RedirectFollower] = [:]

  /// Returns whether a request may contact only hosts on the public network.
  func isPublicOnly(_ request: BrowserRequest) -> Bool {
    if let chain = request.redirectedFrom.flatMap({ redirects[$0] }) { return chain.isPublicOnly }
    // A frame may be navigated by any other frame, but its subresources are named by its own
    // document.
    if request.kind != "Document", let isPublic = request.frame.flatMap({ frames[$0] }) {
      return isPublic
    }
    return frames.values.contains(true)
  }

  /// Records the response to a request.
  /// - Parameters:
  ///   - head: the response, including whether its host is on the public network.
  ///   - request: the request.
  /// - Returns: the reason why the browser must not follow the redirect; nil if it may.
  mutating func record(_ head: ResponseHead, for request: BrowserRequest) -> String? {
    let isPublic = head.isFromPublicNetwork ?? true
    guard Redirection.isRedirect(head) else {
      if request.kind == "Document", let frame = request.frame {
        frames[frame] = isPublic || request.isPublicOnly
      }
      return nil
    }
    var chain =
      request.redirectedFrom.flatMap { redirects[$0] }
      ?? RedirectFollower(
        request.request, isPublicOnly: request.isPublicOnly, isUnattended: true)
    do throws(LoadError) {
      try chain.follow(head, isSourcePublic: isPublic)
      redirects[request.id] = chain
      return nil
    } catch {
      return error.text.line
    }
  }
}
