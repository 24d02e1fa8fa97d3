import Pages
import Algorithms
import Commands
import Configuration
import Document
import Feeds
import Images
import Layout
import Reader
import Terminal

/// Images that are drawn within pages.
extension Browser {
  /// Whether images are drawn within pages.
  var drawsImages: Bool { appearance.images == .drawn }

  /// The limits of the space reserved for images on a page; nil if images are not drawn. They do
  /// not depend on the banner, which may appear and disappear.
  var imageSpace: ImageSpace? {
    guard drawsImages else { return nil }
    let ratio =
      graphics.capabilities.map { Double($0.cellSize.height) / Double($0.cellSize.width) } ?? 2
    return ImageSpace(
      maxImageRows: min(ImageSpace.maxRows, max(3, (size.rows - 4) * 3 / 4)), cellRatio: ratio)
  }

  /// Returns the space reserved for images on a page; nil if images are not drawn. If the current
  /// layout, made with the options `old`, has the same size, its image sizes are used again, so
  /// that nothing moves when an image is received.
  func imageSpace(on page: Page, width: Int, like old: LayoutOptions?) -> ImageSpace? {
    guard var columns = imageSpace else { return nil }
    if let old, let earlier = old.imageSpace, old.width == width,
      earlier.maxImageRows == columns.maxImageRows,
      earlier.cellRatio == columns.cellRatio
    {
      (columns.knownSizes, columns.unloadableImages) = (
        earlier.knownSizes, earlier.unloadableImages
      )
    } else {
      columns.knownSizes = images.naturalSizes(in: page.document)
      columns.unloadableImages = images.failedImages(in: page.document)
    }
    return columns
  }

  /// Removes reserved space that images turned out not to need. Only space outside the screen is
  /// removed, so that the visible lines do not move.
  mutating func shrinkImageSpace() {
    guard let view, layers.top == .page, !images.isWaiting, images.lastRejectedTop != view.topLine,
      var options = Optional(view.options), var imageSpace = options.imageSpace
    else { return }
    let (height, visibleLines) = (bodyHeight, view.topLine..<view.topLine + bodyHeight)
    var shrinks = false
    for box in view.layout.boxes(
      within: max(0, view.topLine - 2 * height)..<view.topLine + 3 * height)
    {
      let lines = Int(box.firstLine)..<Int(box.firstLine + box.rowCount)
      guard !lines.overlaps(visibleLines), imageSpace.knownSizes[box.imageIndex] == nil,
        !imageSpace.unloadableImages.contains(box.imageIndex),
        let query = imageQuery(for: box, of: view)
      else { continue }
      switch images[query] {
      case .drawn(let image) where !box.hasSpecifiedSize && image.cells.height < lines.count:
        imageSpace.knownSizes[box.imageIndex] = ImageSpace.PixelSize(
          width: image.sourceSize.width, height: image.sourceSize.height)
      case .failed where lines.count > 1: imageSpace.unloadableImages.insert(box.imageIndex)
      default: continue
      }
      shrinks = true
    }
    guard shrinks else { return }
    options.imageSpace = imageSpace
    let sources = view.lineSources(ofLines: visibleLines)
    relayout(like: options)
    guard self.view?.lineSources(height: height) != sources else { return }
    self.view = view
    refreshMatches()
    images.lastRejectedTop = view.topLine
  }

  /// Switches between drawing images, hiding them, and showing their alternative text.
  mutating func switchImageDisplay() {
    images.forgetFailures()
    appearance.switchImageDisplay(canDraw: !settings.isLinear)
    notify(appearance.images.message)
    relayout()
  }

  // MARK: Wanted images

  /// Requests the images on the screen and one screen below it.
  mutating func requestVisibleImages() {
    if drawsImages, settings.images != .symbols, !graphics.isRequested { queryGraphics() }
    if drawsImages { shrinkImageSpace() }
    if let missing = images.setWanted(wantedImages) {
      additionalEffects.append(.requestImages(missing))
    }
  }

  /// Queries the terminal for its graphics support.
  mutating func queryGraphics() {
    graphics.beginQuery()
    additionalEffects.append(.queryGraphics)
  }

  /// The images on the screen and one screen below it, or the image on the whole screen.
  private var wantedImages: [ImageQuery] {
    guard let view, drawsImages else { return [] }
    if case .fullScreenImage(let image) = layers.topInput {
      return [fullScreenImageQuery(for: image, of: view)].compactMap(\.self)
    }
    let lines = view.topLine..<view.topLine + 2 * bodyHeight
    var queries: [ImageQuery] = []
    for box in view.layout.boxes(within: lines) {
      if let query = imageQuery(for: box, of: view), !queries.contains(query) {
        queries.append(query)
      }
    }
    return queries
  }

  private func imageQuery(for box: PageLayout.ImageBox, of view: PageView) -> ImageQuery? {
    let size = ImageSize(width: box.columns.count, height: Int(box.rowCount))
    return imageQuery(
      for: box.imageIndex, of: view, in: size, allowsEnlarging: box.hasSpecifiedSize)
  }

  private func fullScreenImageQuery(for image: Int32, of view: PageView) -> ImageQuery? {
    let maxSize = ImageSize(width: max(1, size.columns), height: max(1, size.rows - 1))
    return imageQuery(for: image, of: view, in: maxSize, allowsEnlarging: true)
  }

  private func imageQuery(
    for image: Int32, of view: PageView, in box: ImageSize, allowsEnlarging: Bool
  ) -> ImageQuery? {
    var request = ImageRequest(maxSizeInCells: box)
    request.mayGrow = allowsEnlarging
    request.isDark = appearance.isDark
    if let capabilities = graphics.capabilities {
      request.cellSize = capabilities.cellSize
      request.output = .pixels
    } else {
      request.output = .symbols(colorCount: colorCount, isASCII: glyphs.isASCII)
    }
    return ImageSource(
      Int(image), of: view.page.document, width: box.width * request.cellSize.width,
      page: view.page.url, options: loading.options
    ).map { ImageQuery($0, request) }
  }

  // MARK: The page

  /// Draws the images on the screen, each in the lines reserved for it.
  func drawImages(of view: PageView, in frame: inout Frame) {
    guard drawsImages else { return }
    let rows = bodyRows
    for box in view.layout.boxes(within: view.topLine..<view.topLine + rows.count) {
      guard let query = imageQuery(for: box, of: view) else { continue }
      let top = rows.lowerBound + Int(box.firstLine) - view.topLine
      let column =
        view.gutterWidth + Int(box.columns.lowerBound)
        - (appearance.wrapsCode ? 0 : appearance.horizontalOffset)
      let width = box.hasNeighbors ? box.columns.count : nil
      draw(query, rows: rows, top: top, column: column, width: width, in: &frame)
    }
  }

  /// Draws an image, or a message in its place while it is being loaded or if it could not be
  /// drawn.
  private func draw(
    _ query: ImageQuery, rows: Range<Int>, top: Int, column: Int, width: Int? = nil,
    in frame: inout Frame
  ) {
    var message: String
    switch images[query] {
    case .drawn(let image):
      switch (image.content, graphics.capabilities) {
      case (.symbols(let symbols), _):
        frame.put(symbols, width: image.cells.width, rows: rows, top: top, column: column)
      case (.pixels, let capabilities?):
        frame.put(
          Graphic(
            image, firstRow: top, firstColumn: column, visibleRows: rows,
            graphicsProtocol: capabilities.graphicsProtocol))
      case (.pixels, nil): break
      }
      return
    case .failed(let reason): message = "not drawn: \(reason)"
    case nil: message = "drawing\(glyphs.ellipsis)"
    }
    guard rows.contains(top) else { return }
    if let width { message = displayWidth.truncated(message, to: width, ellipsis: glyphs.ellipsis) }
    frame.put(message, row: top, column: max(0, column), style: CellStyle(.dim))
  }

  // MARK: One image

  /// Shows an image on the whole screen if images are drawn; otherwise opens it in another program.
  mutating func open(image: Int32) -> [Effect] {
    guard let view, drawsImages, fullScreenImageQuery(for: image, of: view) != nil else {
      return openImage(image)
    }
    if view.line(of: .image(image)) != nil { self.view?.focus = .image(image) }
    layers.showInput(.fullScreenImage(image))
    return []
  }

  /// Draws the image that fills the screen.
  func draw(image: Int32, in frame: inout Frame) {
    guard let view, let query = fullScreenImageQuery(for: image, of: view) else { return }
    let width = query.request.maxSizeInCells
    var cells = ImageSize(width: 0, height: 0)
    if case .drawn(let image) = images[query] { cells = image.cells }
    draw(
      query, rows: 0..<max(1, size.rows - 1), top: (width.height - cells.height) / 2,
      column: cells.width > 0 ? (width.width - cells.width) / 2 : 1, in: &frame)
    frame.moveCursor(row: size.rows - 1, column: 0)
  }
}

extension PageLayout {
  /// Returns the boxes that overlap a range of lines.
  func boxes(within lines: Range<Int>) -> [ImageBox] {
    // The boxes are ordered by their first lines. In a table row, a high box may end below later
    // ones, so the search begins `maxRows` lines above the range.
    let first = imageBoxes.partitioningIndex {
      Int($0.firstLine) > lines.lowerBound - ImageSpace.maxRows
    }
    return imageBoxes[first...].prefix { Int($0.firstLine) < lines.upperBound }
      .filter { Int($0.firstLine + $0.rowCount) > lines.lowerBound }
  }
}

extension PageView {
  /// Returns the offsets in the document at which the lines on the screen begin.
  fileprivate func lineSources(height: Int) -> [UInt32] {
    lineSources(ofLines: topLine..<topLine + height)
  }

  fileprivate func lineSources(ofLines lines: Range<Int>) -> [UInt32] {
    layout.lines[lines.clamped(to: layout.lines.indices)].map(\.sourceOffset)
  }
}
