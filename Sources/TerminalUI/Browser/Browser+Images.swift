import Commands
import DOM
import Feeds
import Document
import Exchange
import Layout
import Pages

/// Images within a page. Tab skips them, so that links stay easy to reach on a page with many
/// images; hints, the list of links and the mouse select them.
extension Browser {
  /// Opens an image in the program for its type; it is loaded first if necessary.
  mutating func openImage(_ image: Int32) -> [Effect] {
    guard let view else { return [] }
    if view.line(of: .image(image)) != nil { self.view?.focus = .image(image) }
    if let attachment = view.embeddedImage(at: image) { return open(attachment) }
    let scheme = ["http:", "https:", "file:"]
    guard let url = view.page.document.url(ofImage: Int(image)),
      scheme.contains(where: url.hasPrefix)
    else {
      reportError("the page does not contain the URL of this image")
      return []
    }
    let request = LoadRequest(url, origin: .link(from: view.page.url), options: loading.options)
    return load(request, purpose: .openInProgram)
  }

  /// Opens an attachment in the program for its type; the page on the screen stays.
  mutating func open(_ attachment: Attachment) -> [Effect] {
    let buffered = loading.endLoad()?.bufferedInput ?? []
    // If the link or image of the attachment has the focus, the download key acts on it.
    let advice = "; \(keyName(of: .download)) downloads it"
    notify("opening \(attachment.title)" + (focusedURL == attachment.url ? advice : ""))
    return [.openAttachment(attachment)] + buffered.flatMap { handle($0) }
  }

  /// Returns the images of the page as entries of the list of links.
  func imageEntries(of view: PageView) -> [ListEntry] {
    let document = view.page.document
    let count = document.images.count + document.unshownImages.count
    let entries = (0..<count).compactMap { index -> ListEntry? in
      guard let image = document.image(at: index), let url = view.imageLabel(ofImage: Int32(index))
      else { return nil }
      var entry = ListEntry(
        view.imageName(ofImage: Int32(index)), to: .linkTarget(.image(Int32(index))),
        extraFilterText: url)
      if image.width > 0, image.height > 0 {
        entry.details[.extraText] = "\(image.width)\(glyphs.multiplicationSign)\(image.height)"
      }
      return entry
    }
    return entries.isEmpty ? [] : [.heading("Images")] + entries
  }

  /// Shows labels before the images on the screen; without images on the screen, opens the list of
  /// images.
  mutating func chooseImage() -> [Effect] {
    guard let view else { return [] }
    if !view.imageTargetsOnScreen(height: bodyHeight, filter: "").isEmpty {
      showHints(to: .openImage)
      return []
    }
    let effects = openList(.links)
    let first = list?.shownIndices.firstIndex { index in
      guard case .linkTarget(.image)? = list?.entries[index].target else { return false }
      return true
    }
    guard let first else {
      list = nil
      notify("no images on this page")
      return []
    }
    let viewport = listViewport
    list?.select(first, viewport: viewport)
    return effects
  }
}

extension PageView {
  /// Returns the images on the screen, each as its own target or as the link that contains it.
  func imageTargetsOnScreen(height: Int, filter: String) -> [(
    target: PageLayout.Target, url: String
  )] {
    let rows = topLine..<topLine + height
    let folded = TextFolding.folded(filter)
    let positions =
      layout.imagePlacements + layout.linkPlacements.filter { $0.target.linkIndex != nil }
    return positions.filter { rows.contains(Int($0.lineIndex)) }
      .compactMap { position -> (line: Int32, target: PageLayout.Target, url: String)? in
        guard let image = image(of: position.target),
          let url = imageLabel(ofImage: image),
          folded.isEmpty || TextFolding.folded(imageName(ofImage: image)).contains(folded)
        else { return nil }
        return (position.lineIndex, position.target, url)
      }
      .sorted { $0.line < $1.line }.map { ($0.target, $0.url) }
  }

  /// Returns the image of a target or the first image in a link, or nil.
  func image(of target: PageLayout.Target) -> Int32? {
    guard let link = target.linkIndex else { return target.imageIndex }
    let run = page.document.runs.first { $0.link == OptionalIndex(link) && $0.image != nil }
    return run?.image.value.map { Int32($0) }
  }

  /// Returns the number of a target among the images that are not links, from 1, and their total;
  /// nil if it is not one of them.
  func imageNumber(of target: PageLayout.Target) -> (number: Int, count: Int)? {
    guard target.imageIndex != nil,
      let index = layout.imagePlacements.firstIndex(where: { $0.target == target })
    else { return nil }
    return (index + 1, layout.imagePlacements.count)
  }

  /// Returns the label of an image: its URL, or its number if it is embedded in the page; nil if
  /// its URL is invalid or missing.
  func imageLabel(ofImage index: Int32) -> String? {
    let document = page.document
    return document.url(ofImage: Int(index))
      ?? document.embeddedURL(ofImage: Int(index)).map { _ in "data:\(index)" }
  }

  /// Returns an embedded image as an attachment for other programs; nil for an image with a URL of
  /// its own.
  func embeddedImage(at index: Int32) -> Attachment? {
    guard let url = page.document.embeddedURL(ofImage: Int(index)),
      let bytes = DataURL.bytes(of: url)
    else { return nil }
    let name = page.document.image(at: Int(index))?.alternativeText ?? ""
    let type = String(url.dropFirst(5).prefix { $0 != ";" && $0 != "," }).lowercased()
    var attachment = Attachment(
      url: "image:\(index)/\(name.isEmpty ? "image" : name)", mediaType: SafeText.line(type),
      length: bytes.count)
    attachment.content = bytes
    return attachment
  }

  /// Returns the name of an image: its alternative text, or its file name.
  func imageName(ofImage index: Int32) -> String {
    let image = page.document.image(at: Int(index))
    if let text = image?.alternativeText.map({ SafeText.line($0) }), !text.isEmpty { return text }
    let url = page.document.url(ofImage: Int(index)) ?? image?.source ?? ""
    return Attachment(url: url, mediaType: "image", length: 0).title
  }

  /// Returns the text of a link, or the name of an image that is not a link.
  func targetText(of target: PageLayout.Target) -> String {
    target.imageIndex.map { imageName(ofImage: $0) } ?? target.linkIndex.map {
      linkText(ofLink: $0)
    } ?? ""
  }
}
