import DOM

/// The images so far, those that wait for the end of a leaf, and the last one, which the next one
/// may duplicate.
struct ImageCollection {
  /// The images that are shown, in document order.
  private(set) var all: [Document.Image] = []
  /// The images that are shown below leaves.
  private(set) var belowLeaves: [Document.ImageBelowLeaf] = []
  /// The images of the page that the document does not show.
  private(set) var unshown: [Document.Image] = []
  /// The images without text in the open leaf, with their links.
  private(set) var pending: [(image: Int32, link: OptionalIndex)] = []
  /// Images to show below the next leaf, and whether they are separate from it because a block
  /// began or ended since.
  private var deferred: [(image: Int32, standsAlone: Bool)] = []
  private var last: LastImage?

  /// The image that was added last.
  private struct LastImage {
    var source: String
    var alternativeText: String?
    /// The length of the text after the image was added.
    var textEnd: Int
    /// Whether the image is in a `noscript` element.
    var isInNoScript: Bool
    /// The element that contains the image.
    var parent: Int32?
    /// The index of the image in `all`.
    var index: Int
  }

  /// Adds an image.
  /// - Returns: Its index.
  mutating func add(_ image: Document.Image) -> Int32 {
    all.append(image)
    return Int32(all.count - 1)
  }

  /// Adds an image that is not shown.
  mutating func addUnshown(_ image: Document.Image) {
    if unshown.count < Self.maxUnshownImages { unshown.append(image) }
  }

  /// Maximum number of recorded images that are not shown.
  private static let maxUnshownImages = 1000

  // MARK: Images that wait

  /// Adds an image without text to the open leaf.
  mutating func addPending(_ image: Document.Image, link: OptionalIndex) {
    pending.append((add(image), link))
  }

  /// Removes pending images except the first ones.
  mutating func removePending(from first: Int) { pending.removeSubrange(first...) }

  /// Removes the pending images, which are to be written.
  mutating func takePending() -> [(image: Int32, link: OptionalIndex)] {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Shows an image below the next leaf.
  mutating func showBelowNextLeaf(_ image: Int32) { deferred.append((image, standsAlone: false)) }

  /// Shows an image below a block that has ended.
  mutating func show(_ image: Int32, below block: Int32) {
    belowLeaves.append(Document.ImageBelowLeaf(block: block, image: image, standsAlone: true))
  }

  /// Shows the pending images below the leaf that ends.
  mutating func endLeaf() {
    guard !pending.isEmpty else { return }
    deferred += pending.map { ($0.image, standsAlone: false) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Separates the images that wait for the next leaf from it, because a block begins or ends.
  mutating func separateFromNextLeaf() {
    for index in deferred.indices { deferred[index].standsAlone = true }
  }

  /// Attaches the images that wait for the next leaf to a leaf, so that they are shown below it.
  mutating func attach(to block: Int32) {
    guard !deferred.isEmpty else { return }
    belowLeaves += deferred.map {
      Document.ImageBelowLeaf(block: block, image: $0.image, standsAlone: $0.standsAlone)
    }
    deferred.removeAll(keepingCapacity: true)
  }

  // MARK: Duplicates

  /// Records the image that was added last, and its element.
  mutating func recordLast(_ node: Int32, of tree: DOMTree, textEnd: Int) {
    let image = all[all.count - 1]
    last = LastImage(
      source: image.source, alternativeText: image.alternativeText, textEnd: textEnd,
      isInNoScript: tree.isInNoScript(node), parent: tree.nodes[Int(node)].parent,
      index: all.count - 1)
  }

  /// Records that the text that represents the last image ends at a position.
  mutating func moveLast(to textEnd: Int) { last?.textEnd = textEnd }

  /// Returns whether an image is the one that was recorded last.
  func isLast(_ image: Int32) -> Bool { last?.index == Int(image) }

  /// Returns whether the image is a duplicate of the previous one without text between: a lazily
  /// loaded image and its `noscript` version, or one for each screen size. The real URL replaces
  /// that of a placeholder.
  mutating func mergeIntoLast(
    _ image: Document.Image, _ node: Int32, of tree: DOMTree, textEnd: Int
  ) -> Bool {
    guard let last, last.textEnd == textEnd else { return false }
    if Self.isFullVersion(of: last, image, node, tree) {
      all[last.index].source = image.source
      all[last.index].candidates = image.candidates
      self.last?.source = image.source
      return true
    }
    let isNoScriptVersion =
      tree.isInNoScript(node) != last.isInNoScript
      && (Self.isPreview(image.source) || Self.isPreview(last.source)
        || image.source == last.source)
    if !isNoScriptVersion {
      if let text = image.alternativeText, !text.isEmpty {
        guard text == last.alternativeText, !text.isSingleCharacter else { return false }
      } else if image.source.isEmpty || image.source != last.source {
        return false
      }
    }
    if Self.isPreview(last.source), !Self.isPreview(image.source) {
      all[last.index].source = image.source
      self.last?.source = image.source
    }
    return true
  }

  /// Returns whether the previous image is a smaller version of a lazily loaded one, which is shown
  /// until that has loaded: they have the same parent and file name, and a `noscript` element
  /// follows.
  private static func isFullVersion(
    of last: LastImage, _ image: Document.Image, _ node: Int32, _ tree: DOMTree
  ) -> Bool {
    guard !last.isInNoScript, last.parent == tree.nodes[Int(node)].parent,
      image.source != last.source, tree.attribute(.dataSource, of: node) != nil,
      let name = FileName(reference: image.source)?.text,
      name == FileName(reference: last.source)?.text
    else { return false }
    var next = tree.nodes[Int(node)].nextSibling
    while let text = next, tree.nodes[Int(text)].name == .characters {
      next = tree.nodes[Int(text)].nextSibling
    }
    return next.map { tree.nodes[Int($0)].name } == .noscript
  }

  /// Returns whether a source is missing, or is a short `data:` URL, which scripts or a `noscript`
  /// element replace.
  private static func isPreview(_ source: String) -> Bool {
    source.isEmpty || source.hasScheme("data") && source.utf8.count <= maxPreviewLength
  }

  /// Maximum length in bytes of a `data:` URL that counts as a preview if the page also has a URL
  /// of a file.
  static let maxPreviewLength = 4096
}

extension String {
  /// Whether the text is at most a single character, such as a star of a rating, which may be
  /// repeated intentionally.
  var isSingleCharacter: Bool { unicodeScalars.count < 2 }
}
