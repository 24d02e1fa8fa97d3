import Feeds
import DOM
import Document
import Formats

extension Document {
  /// The absolute URLs of links and images for exported documents, sanitized and without
  /// credentials. Script URLs are omitted.
  var cleanTargets: DocumentTargets {
    DocumentTargets(
      link: { index in
        let url = url(ofLink: index) ?? links[index].target
        return url.runsScript ? nil : SafeText.line(SafeText.withoutCredentials(url))
      },
      image: { index in
        url(ofImage: index).map { SafeText.line(SafeText.withoutCredentials($0)) }
      })
  }
}
