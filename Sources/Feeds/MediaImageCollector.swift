import DOM

/// A collection of the images of an item that Media RSS describes (`media:content`), or that are
/// attached to the item (`enclosure`).
///
/// Most Media RSS images only decorate the item, or are also in its text. They are shown only if
/// the item has no other text, or if they have a description, as in the feeds of Mastodon and
/// Flickr. Attached images are shown if the text contains no image.
struct MediaImageCollector {
  private var attachedImages: [FeedItem.Image] = []
  private var describedImages: [FeedItem.Image] = []
  /// The first image of Media RSS, with or without a description; nil if there is none.
  private var firstImage: FeedItem.Image?
  /// The preview of the medium, which is shown if the item has neither an image nor a file; nil if
  /// the item has no preview.
  private var thumbnail: FeedItem.Image?

  /// The maximum number of images of an item.
  private static let maxCount = 50

  /// Adds an element `media:content` if it is an image.
  mutating func add(_ element: FeedElement, against base: String? = nil) {
    let xml = element.xml
    let type = xml.attribute("type")?.lowercased() ?? ""
    guard xml.attribute("medium")?.lowercased() == "image" || type.hasPrefix("image/"),
      let url = element.url(xml.attribute("url"), against: base)
    else { return }
    let description = element.children.first {
      $0.vocabulary == .media && $0.name == "description"
    }
    let image = FeedItem.Image(
      url: url, descriptionText: description?.lineWithoutInlineMarkup ?? "")
    firstImage = firstImage ?? image
    // Several sizes of the same image have the same description.
    guard !image.descriptionText.isEmpty, describedImages.count < Self.maxCount,
      !describedImages.contains(where: {
        $0.url == url || $0.descriptionText == image.descriptionText
      })
    else { return }
    describedImages.append(image)
  }

  /// Adds a file that is attached to the item, by an `enclosure` element or an Atom link, if it is
  /// an image.
  mutating func add(enclosure element: FeedElement, against base: String? = nil) {
    let xml = element.xml
    guard xml.attribute("type")?.oneLine.lowercased().hasPrefix("image/") ?? false,
      attachedImages.count < Self.maxCount,
      let url = element.url(xml.attribute("url") ?? xml.attribute("href"), against: base),
      !attachedImages.contains(where: { $0.url == url })
    else { return }
    attachedImages.append(
      FeedItem.Image(url: url, descriptionText: xml.attribute("title")?.oneLine ?? ""))
  }

  /// Adds an element `media:thumbnail`.
  mutating func add(thumbnail element: FeedElement, against base: String? = nil) {
    guard thumbnail == nil, let url = element.url(element.xml.attribute("url"), against: base)
    else { return }
    thumbnail = FeedItem.Image(url: url)
  }

  /// Returns the images to show.
  /// - Parameters:
  ///   - item: the item with its texts.
  ///   - isSummaryDescription: whether the item's summary is a description of the medium.
  ///   - title: the title of the medium, or empty.
  /// - Returns: the images; empty if the text of the item contains an image, or if the item has a
  ///   text and only an image without a description.
  func imagesToShow(in item: FeedItem, isSummaryDescription: Bool, title: String = "") -> [FeedItem
    .Image]
  {
    let preview = item.enclosures.isEmpty ? thumbnail : nil
    let texts = [item.content, item.summary].compactMap { $0?.html }
    let needsImage =
      !describedImages.isEmpty || !attachedImages.isEmpty || texts.isEmpty || isSummaryDescription
    guard needsImage, texts.allSatisfy({ !$0.lowercased().contains("<img") }) else { return [] }
    guard describedImages.isEmpty else { return describedImages }
    guard attachedImages.isEmpty else { return attachedImages }
    guard var image = firstImage ?? preview else { return [] }
    image.descriptionText = title
    return [image]
  }
}
