import Feeds
import DOM
import Document
import Formats
import OfflineCache
import Pages

extension Document {
  /// The absolute URLs of links and images for exported documents, sanitized and without
  /// credentials. Script URLs are omitted.
  var exportTargets: ExportTargets {
    ExportTargets(
      linkURL: { index in
        let url = url(ofLink: index) ?? links[index].target
        return url.hasScriptScheme ? nil : SafeText.line(SafeText.withoutCredentials(url))
      },
      imageURL: { index in
        url(ofImage: index).map { SafeText.line(SafeText.withoutCredentials($0)) }
      })
  }

  /// Returns the targets for HTML. The targets of links within the page are the IDs of the exported
  /// page; all other targets are the same as in `exportTargets`.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - ids: The IDs of the page.
  /// - Returns: The targets.
  func htmlTargets(url: DocumentAddress, ids: FragmentIDs) -> ExportTargets {
    var targets = exportTargets
    let exportLinkURL = targets.linkURL
    let here = CacheKey.make(url.text)
    targets.idTargets = ids.targets
    targets.linkURL = { index in
      let target = links[index].target
      let linked = self.url(ofLink: index)
      let isOwn =
        target.hasPrefix("#") || here != nil && linked.flatMap { CacheKey.make($0) } == here
      guard isOwn, let id = FragmentIDs.fragment(of: target).flatMap(ids.id(of:)) else {
        return exportLinkURL(index)
      }
      return "#" + id
    }
    return targets
  }
}
