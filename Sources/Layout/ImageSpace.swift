import DOM
import Document

/// Determines how many rows and columns images get. The space is reserved before the images are
/// loaded, so that text does not move afterwards.
package struct ImageSpace: Sendable, Equatable {
  /// The maximum number of rows that one image gets.
  package var maxImageRows: Int
  /// The height of a terminal cell divided by its width.
  package var cellRatio: Double
  /// The sizes of images that were loaded before this layout, by their index in `Document.images`.
  /// They are used if the page does not specify the size.
  package var knownSizes: [Int32: PixelSize] = [:]

  /// The images that cannot be loaded, as indices in `Document.images`; each gets one row for an
  /// error message.
  package var unloadableImages: Set<Int32> = []

  /// The upper limit for the number of rows of any image.
  package static let maxRows = 500

  package init(maxImageRows: Int, cellRatio: Double = 2) {
    self.maxImageRows = maxImageRows
    self.cellRatio = cellRatio
  }

  /// The size of an image file in pixels.
  package struct PixelSize: Sendable, Equatable {
    package var width: Int, height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The size of an image in cells.
  package struct CellSize: Sendable, Equatable {
    package var columns: Int, rows: Int
    /// Whether the page specifies the size of the image.
    package var hasSpecifiedSize: Bool
  }

  /// The number of CSS pixels per column, about the width of a letter on web pages.
  private static let pixelsPerColumn = 8.0
  /// The assumed width and aspect ratio of an image of unknown size, typical for web pages.
  private static let assumedSize = (width: 480.0, ratio: 0.75)
  /// The width or height in CSS pixels below which an image is an icon, which gets no space.
  private static let maxIconSize = 48.0
  /// The number of columns of an image in a table cell: fewer are useless, and more would take
  /// width from other columns.
  static let tableCellColumns = 8...32

  /// Returns the space for an image.
  /// - Parameters:
  ///   - index: The index of the image in `document.images`.
  ///   - document: The document.
  ///   - columns: The available columns.
  ///   - isInTableCell: Whether the image is in a table cell.
  /// - Returns: The size in cells; nil if the image gets no space.
  func cellSize(
    forImage index: Int32, of document: Document, columns: Int, isInTableCell: Bool = false
  ) -> CellSize? {
    guard document.images.indices.contains(Int(index)) else { return nil }
    let image = document.images[Int(index)]
    let minColumns = isInTableCell ? Self.tableCellColumns.lowerBound : 2
    let available = isInTableCell ? min(columns, Self.tableCellColumns.upperBound) : columns
    guard available >= minColumns, maxImageRows >= 1, !image.source.isEmpty else { return nil }
    let displaySize = image.displaySize
    var (width, height) = (Double(displaySize.width), Double(displaySize.height))
    var ratio = displaySize.heightRatio
    let hasSpecifiedSize = width > 0 && height > 0 || ratio > 0 && (width > 0 || height > 0)
    if let size = knownSizes[index], size.width > 0, size.height > 0, !hasSpecifiedSize {
      if ratio <= 0 { ratio = Double(size.height) / Double(size.width) }
      if width <= 0, height <= 0 { (width, height) = (Double(size.width), 0) }
    }
    if ratio <= 0 { ratio = Self.assumedSize.ratio }
    if width <= 0, height <= 0 { width = Self.assumedSize.width }
    guard [width, height].allSatisfy({ $0 <= 0 || $0 >= Self.maxIconSize }) else { return nil }
    if width <= 0 { width = height / ratio }
    if height <= 0 { height = width * ratio }
    ratio = height / width
    var wide = min(Double(available), width / Self.pixelsPerColumn)
    let maxRows = isInTableCell ? max(1, maxImageRows / 2) : maxImageRows
    let high = min(Double(maxRows), wide * ratio / cellRatio)
    wide = min(wide, high * cellRatio / ratio)
    return CellSize(
      columns: max(1, Int(wide.rounded())),
      rows: unloadableImages.contains(index) ? 1 : max(1, Int(high.rounded())),
      hasSpecifiedSize: hasSpecifiedSize)
  }
}

extension BlockLayout {
  /// Reserves lines for an image below its alternative text, if the image gets space.
  mutating func reserveLines(forImage image: Int32) {
    guard let width = input.options.imageSpace, !isCell || mayDrawImages,
      let box = width.cellSize(
        forImage: image, of: input.document, columns: availableWidth, isInTableCell: isCell)
    else { return }
    writer.addImageBox(image, box, column: margin + indentation.columns, hasNeighbors: isCell)
    for _ in 0..<box.rows {
      beginLine()
      writer.endLine(source: sourceOffset)
    }
    lineCountAfterImage = nil
  }

  /// Reserves lines for the images below a leaf. An image that may be part of a line of text, or is
  /// in a table cell, gets lines only if its size is known.
  mutating func reserveLines(forImagesBelow block: Int32) {
    guard let width = input.options.imageSpace, !isCell || mayDrawImages else { return }
    for below in input.document.images(below: block) {
      let box = width.cellSize(
        forImage: below.image, of: input.document, columns: availableWidth, isInTableCell: isCell)
      guard let box,
        below.standsAlone && !isCell || box.hasSpecifiedSize || width.knownSizes[below.image] != nil
      else { continue }
      reserveLines(forImage: below.image)
    }
  }

  /// Returns the images of a paragraph that get space and are alone on a line, between line breaks.
  /// `end` is the index of the run after the image. The result is empty for a paragraph that
  /// consists of several images only.
  func imagesOnOwnLines(of block: Document.Block) -> [(image: Int32, end: Int32)] {
    guard let width = input.options.imageSpace, !isCell || mayDrawImages else { return [] }
    let document = input.document
    var (images, index): ([(image: Int32, end: Int32)], Int32) = ([], block.runs.lowerBound)
    while index < block.runs.upperBound {
      let (start, imageIndex) = (index, document.runs[Int(index)].image)
      repeat {
        index += 1
      } while index < block.runs.upperBound
        && document.runs[Int(index)].image == imageIndex
      guard let image = imageIndex.value.map({ Int32($0) }),
        document.isAloneOnLines(start..<index, of: block),
        width.cellSize(
          forImage: image, of: document, columns: availableWidth, isInTableCell: isCell) != nil
      else { continue }
      images.append((image, index))
    }
    return images.isEmpty || document.imagesOfImageOnlyLeaf(of: block) != nil ? [] : images
  }

  /// Lays out a paragraph, and reserves lines for the given images below the lines of text that
  /// they follow.
  mutating func layOutParagraph(
    _ block: Document.Block, around images: [(image: Int32, end: Int32)]
  ) {
    var start = block.runs.lowerBound
    for (image, end) in images + [(-1, block.runs.upperBound)] {
      if start < end, loadInlineText(start..<end) {
        writeBlankLineIfNeeded()
        // A line break after an image ends the line of the image.
        let isBreak = start > block.runs.lowerBound && inlineText.bytes.first == 0x0A
        writeLines(from: isBreak ? 1 : 0)
      }
      if image >= 0 { reserveLines(forImage: image) }
      start = end
    }
    lineCountAfterParagraph = nil
  }

  /// Reserves lines for the images of a paragraph that consists of images only, side by side.
  /// Images of unknown size are skipped, because they are often badges or hit counters.
  mutating func reserveLines(forImagesOf block: Document.Block) {
    guard let columns = input.options.imageSpace, !isCell,
      let images = input.document.imagesOfImageOnlyLeaf(of: block)
    else { return }
    let width = availableWidth
    var (row, column): ([(image: Int32, box: ImageSpace.CellSize, column: Int)], Int) = ([], 0)
    for image in images {
      guard
        let box = columns.cellSize(forImage: image, of: input.document, columns: width / 2 - 1),
        box.hasSpecifiedSize || columns.knownSizes[image] != nil
      else { continue }
      if column + box.columns > width {
        writeReservedLines(for: row)
        (row, column) = ([], 0)
      }
      row.append((image, box, column))
      column += box.columns + 2
    }
    writeReservedLines(for: row)
  }

  private mutating func writeReservedLines(
    for row: [(image: Int32, box: ImageSpace.CellSize, column: Int)]
  ) {
    for (image, box, column) in row {
      writer.addImageBox(
        image, box, column: margin + indentation.columns + column, hasNeighbors: true)
    }
    for _ in 0..<(row.map(\.box.rows).max() ?? 0) {
      beginLine()
      writer.endLine(source: sourceOffset)
    }
  }
}

extension Document {
  /// Whether the runs in a range share their lines with no other runs of the leaf.
  fileprivate func isAloneOnLines(_ range: Range<Int32>, of block: Block) -> Bool {
    let isFirst =
      range.lowerBound == block.runs.lowerBound
      || text[Int(runs[Int(range.lowerBound) - 1].end) - 1] == 0x0A
    let isLast =
      range.upperBound == block.runs.upperBound
      || text[Int(runs[Int(range.upperBound) - 1].end) - 1] == 0x0A
      || text[Int(runs[Int(range.upperBound)].start)] == 0x0A
    return isFirst && isLast
  }

  /// Returns the images of a leaf that consists of several images and nothing else; nil for other
  /// leaves.
  func imagesOfImageOnlyLeaf(of block: Block) -> [Int32]? {
    guard !block.runs.isEmpty, runs[Int(block.runs.lowerBound)].image != nil else { return nil }
    var images: [Int32] = []
    for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] {
      if let image = run.image.value {
        if images.last != Int32(image) { images.append(Int32(image)) }
      } else if text[Int(run.start)..<Int(run.end)].contains(where: { $0 != 0x20 && $0 != 0x0A }) {
        return nil
      }
    }
    return images.count > 1 ? images : nil
  }
}
