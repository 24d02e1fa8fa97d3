import DOM
package import Document
package import OfflineCache

extension Document {
  /// Returns the absolute URL of a link; nil if its target is not a URL.
  package func url(ofLink linkIndex: Int) -> String? { webURL(ofLink: linkIndex)?.description }

  /// Returns the absolute URL of a link as `url(ofLink:)` does.
  package func webURL(ofLink linkIndex: Int) -> WebURL? {
    guard links.indices.contains(linkIndex) else { return nil }
    return WebURL(links[linkIndex].target, against: baseURL)
  }

  /// Returns the links to other pages.
  /// - Parameter pageURLs: the URLs of this page.
  /// - Returns: the indices of the links in `links`, and their absolute URLs without fragments.
  package func linksToOtherPages(from pageURLs: [String]) -> [(link: Int32, url: String)] {
    func page(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
    let pageURLs = pageURLs.map { CacheKey.normalized(page($0)) }
    return links.indices.compactMap { link in
      guard let url = url(ofLink: link).map(page), !pageURLs.contains(CacheKey.normalized(url))
      else { return nil }
      return (Int32(link), url)
    }
  }

  /// The absolute URL of the next page of a text in several parts, as detected by reader view; nil
  /// if there is no next page.
  package var nextPageURL: String? {
    readerFacts?.nextPageURL.flatMap { WebURL.resolve($0, against: baseURL) }
  }

  /// Returns the image at an index in `images`, followed by `unshownImages`; nil if the index is
  /// out of range.
  package func image(at index: Int) -> Image? {
    if images.indices.contains(index) { return images[index] }
    let rest = index - images.count
    return unshownImages.indices.contains(rest) ? unshownImages[rest] : nil
  }

  /// Returns the absolute URL of an image; nil if the image has no URL, or a `data:` URL.
  package func webURL(ofImage imageIndex: Int) -> WebURL? {
    guard let source = self.image(at: imageIndex)?.source, !source.isEmpty,
      !source.hasScheme("data")
    else { return nil }
    return WebURL(source, against: baseURL)
  }

  /// Returns the absolute URL of an image as text; nil if the image has no URL, or a `data:` URL.
  package func url(ofImage imageIndex: Int) -> String? {
    webURL(ofImage: imageIndex)?.description
  }

  /// Returns the `data:` URL of an image that is embedded in the page; nil for any other image.
  package func embeddedURL(ofImage imageIndex: Int) -> String? {
    self.image(at: imageIndex).flatMap { $0.source.hasScheme("data") ? $0.source : nil }
  }

  /// Returns the absolute URLs to try for an image, best first.
  /// - Parameters:
  ///   - imageIndex: the index of the image.
  ///   - pixelWidth: the required width in pixels.
  /// - Returns: a few URLs without duplicates; one may be a `data:` URL.
  package func urls(
    ofImage imageIndex: Int, width pixelWidth: Int = Document.Image.defaultWidth
  ) -> [String] {
    (self.image(at: imageIndex)?.references(forWidth: pixelWidth) ?? []).compactMap {
      $0.hasScheme("data") ? $0 : WebURL.resolve($0, against: baseURL)
    }
  }

  /// The absolute http(s) URLs that the document links to or shows in frames, except its own,
  /// without fragments and duplicates, in the order of the document.
  package var linkedPageURLs: [String] {
    guard let base = WebURL(baseURL) else { return [] }
    var seenURLs: Set<WebURL> = [base.withoutFragment]
    return links.compactMap { link in
      guard link.kind != .media, let url = base.resolve(link.target)?.withoutFragment, url.isWeb,
        seenURLs.insert(url).inserted
      else { return nil }
      return url.description
    }
  }
}
