import DOM
package import Document
import OfflineCache

extension Document {
  /// The absolute URL of a link, or nil when its target is no URL.
  package func url(ofLink link: Int) -> String? {
    guard links.indices.contains(link) else { return nil }
    return WebURL.resolve(links[link].target, against: base)
  }

  /// The links to other pages.
  /// - Parameter here: the addresses of this page.
  /// - Returns: indices in `links`, with the absolute URLs without fragments.
  package func foreignLinks(from here: [String]) -> [(link: Int32, url: String)] {
    func page(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
    let here = here.map(page)
    return links.indices.compactMap { link in
      guard let url = url(ofLink: link).map(page), !here.contains(url) else { return nil }
      return (Int32(link), url)
    }
  }

  /// The absolute URL of the next part of a text that reader mode found, or nil.
  package var nextPage: String? { reader?.nextPage.flatMap { WebURL.resolve($0, against: base) } }

  /// An image, those that show nothing behind the others; nil when there are not so many.
  package func image(at index: Int) -> Image? {
    if images.indices.contains(index) { return images[index] }
    let rest = index - images.count
    return unshownImages.indices.contains(rest) ? unshownImages[rest] : nil
  }

  /// The absolute URL of an image, or nil when it has none or carries its data with it.
  package func url(ofImage image: Int) -> String? {
    guard let source = self.image(at: image)?.source, !source.isEmpty, !source.hasScheme("data")
    else { return nil }
    return WebURL.resolve(source, against: base)
  }

  /// Returns the `data:` URL of an image that is embedded in the page, or nil.
  package func embeddedURL(ofImage image: Int) -> String? {
    self.image(at: image).flatMap { $0.source.hasScheme("data") ? $0.source : nil }
  }

  /// Returns the absolute URLs to try for an image, best first.
  /// - Parameters:
  ///   - image: the index of the image.
  ///   - pixels: the width that is needed.
  /// - Returns: a few URLs without duplicates; one may be a `data:` URL.
  package func urls(
    ofImage image: Int, width pixels: Int = Document.Image.usualWidth
  ) -> [String] {
    (self.image(at: image)?.references(forWidth: pixels) ?? []).compactMap {
      $0.hasScheme("data") ? $0 : WebURL.resolve($0, against: base)
    }
  }

  /// The absolute URLs of the pages of the web that the document links to or shows in frames, in the
  /// order of the document, without fragments, each once.
  package var linkedPages: [String] {
    guard let base = WebURL(base) else { return [] }
    var seen: Set<WebURL> = [base.withoutFragment]
    return links.compactMap { link in
      guard link.kind != .media, let url = base.resolve(link.target)?.withoutFragment, url.isWeb,
        seen.insert(url).inserted
      else { return nil }
      return url.description
    }
  }
}
