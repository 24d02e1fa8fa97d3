import Feeds
import DOM
import Document
import Formats
import Reader

extension Document {
  /// Where links and images lead, for what is written of the document: absolute URLs, cleaned and without
  /// credentials; scripts lead nowhere.
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
