package import Containers
import OfflineCache

extension MIMEMessage {
  /// Returns the URL of a part. A relative location is resolved against that of the message (RFC
  /// 2557 §5), and a root part whose location is not a web URL has the URL of the page.
  /// - Parameter index: the index of the part.
  /// - Returns: the URL; empty or relative if the message does not contain a URL to resolve it
  ///   against.
  package func url(ofPart index: Int) -> String {
    let url = resolvedLocation(of: parts[index])
    guard index == rootIndex, !pageURL.isEmpty, WebURL(url)?.isWeb != true else { return url }
    return pageURL
  }

  private func resolvedLocation(of part: Part) -> String {
    guard !location.isEmpty, !part.location.isEmpty, WebURL(part.location) == nil,
      let url = WebURL(location)?.resolve(part.location)
    else { return part.location }
    return url.description
  }
}
