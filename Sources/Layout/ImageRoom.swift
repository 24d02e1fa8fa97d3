import Document

/// How much room images get: known before any of them has come, so that nothing moves when it does.
package struct ImageRoom: Sendable, Equatable {
  /// The most rows of an image.
  package var rows: Int
  /// How high a cell is, when it is one wide.
  package var cellRatio: Double
  /// Of images that came before this layout, indices in `Document.images`: how large they are. It counts where the
  /// page does not say it.
  package var sizes: [Int32: Size] = [:]

  /// Of images that will not come, indices in `Document.images`: a row says why.
  package var missing: Set<Int32> = []

  /// No image has more rows.
  package static let mostRows = 500

  package init(rows: Int, cellRatio: Double = 2) {
    self.rows = rows
    self.cellRatio = cellRatio
  }

  /// Pixels of a file.
  package struct Size: Sendable, Equatable {
    package var width: Int, height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Cells.
  package struct Box: Sendable, Equatable {
    package var columns: Int, rows: Int
    /// The page says how large it is.
    package var isSized: Bool
  }

  /// Pixels of CSS that a column stands for: letters on pages are about as wide.
  private static let columnPixels = 8.0
  /// What stands for an image of which nothing is known: as pages have most of their pictures.
  private static let usual = (width: 480.0, ratio: 0.75)
  /// An image that is lower or narrower is an icon, and gets no room.
  private static let icon = 48.0
  /// The columns of an image in a cell of a table: fewer show nothing, and more take the room of the others.
  static let cellColumns = 8...32

  /// The room of an image.
  /// - Parameters:
  ///   - index: its index in `document.images`.
  ///   - document: the document.
  ///   - columns: the columns that there are.
  ///   - isCell: whether they are those of a cell of a table.
  /// - Returns: the room; nil for none.
  func box(
    forImage index: Int32, of document: Document, columns: Int, isCell: Bool = false
  ) -> Box? {
    guard document.images.indices.contains(Int(index)) else { return nil }
    let image = document.images[Int(index)]
    let least = isCell ? Self.cellColumns.lowerBound : 2
    let room = isCell ? min(columns, Self.cellColumns.upperBound) : columns
    guard room >= least, rows >= 1, !image.source.isEmpty else { return nil }
    let shape = image.shape
    var (width, height, ratio) = (Double(shape.width), Double(shape.height), shape.ratio)
    let isSized = width > 0 && height > 0 || ratio > 0 && (width > 0 || height > 0)
    if let size = sizes[index], size.width > 0, size.height > 0, !isSized {
      if ratio <= 0 { ratio = Double(size.height) / Double(size.width) }
      if width <= 0, height <= 0 { (width, height) = (Double(size.width), 0) }
    }
    if ratio <= 0 { ratio = Self.usual.ratio }
    if width <= 0, height <= 0 { width = Self.usual.width }
    guard [width, height].allSatisfy({ $0 <= 0 || $0 >= Self.icon }) else { return nil }
    if width <= 0 { width = height / ratio }
    if height <= 0 { height = width * ratio }
    ratio = height / width
    var wide = min(Double(room), width / Self.columnPixels)
    let most = isCell ? max(1, rows / 2) : rows
    let high = min(Double(most), wide * ratio / cellRatio)
    wide = min(wide, high * cellRatio / ratio)
    return Box(
      columns: max(1, Int(wide.rounded())),
      rows: missing.contains(index) ? 1 : max(1, Int(high.rounded())), isSized: isSized)
  }
}

extension BlockLayout {
  /// Leaves lines for an image below its words.
  mutating func reserveRoom(forImage image: Int32) {
    guard let room = input.options.imageRoom, !isCell || holdsImages,
      let box = room.box(forImage: image, of: input.document, columns: textRoom, isCell: isCell)
    else { return }
    writer.addImageBox(image, box, column: margin + indentation.columns, hasNeighbours: isCell)
    for _ in 0..<box.rows {
      beginLine()
      writer.endLine(source: source)
    }
    imageEnd = -1
  }

  /// Leaves lines for the images below a leaf. One that may be a sign in its line gets them only if
  /// the page says how large it is.
  mutating func reserveRoom(forImagesBelow block: Int32) {
    guard let room = input.options.imageRoom, !isCell || holdsImages else { return }
    for below in input.document.images(below: block) {
      let box = room.box(
        forImage: below.image, of: input.document, columns: textRoom, isCell: isCell)
      guard let box, below.standsAlone && !isCell || box.isSized || room.sizes[below.image] != nil
      else { continue }
      reserveRoom(forImage: below.image)
    }
  }

  /// The images of a paragraph that have a line of their own, between line breaks, and get room; each with the
  /// index of the run behind it.
  func imagesOnLines(of block: Document.Block) -> [(image: Int32, end: Int32)] {
    guard let room = input.options.imageRoom, !isCell || holdsImages else { return [] }
    let document = input.document
    var (images, index): ([(image: Int32, end: Int32)], Int32) = ([], block.runs.lowerBound)
    while index < block.runs.upperBound {
      let (start, image) = (index, document.runs[Int(index)].image)
      repeat {
        index += 1
      } while index < block.runs.upperBound
        && document.runs[Int(index)].image == image
      guard image >= 0, document.isLine(start..<index, of: block),
        room.box(forImage: image, of: document, columns: textRoom, isCell: isCell) != nil
      else { continue }
      images.append((image, index))
    }
    return images.isEmpty || document.images(of: block) != nil ? [] : images
  }

  /// Lays out a paragraph with the room of some of its images below the lines that they have.
  mutating func layOutParagraph(
    _ block: Document.Block, around images: [(image: Int32, end: Int32)]
  ) {
    var start = block.runs.lowerBound
    for (image, end) in images + [(-1, block.runs.upperBound)] {
      if start < end, take(start..<end) {
        writeGap()
        fill()
      }
      if image >= 0 { reserveRoom(forImage: image) }
      start = end
    }
    lineEnd = -1
  }

  /// Leaves lines for the images of a paragraph that has nothing else, beside each other. It is for those of which
  /// the size is known: of badges and of what counts visits pages do not say it.
  mutating func reserveRoom(forImagesOf block: Document.Block) {
    guard let room = input.options.imageRoom, !isCell, let images = input.document.images(of: block)
    else { return }
    let width = textRoom
    var (row, column): ([(image: Int32, box: ImageRoom.Box, column: Int)], Int) = ([], 0)
    for image in images {
      guard
        let box = room.box(forImage: image, of: input.document, columns: width / 2 - 1),
        box.isSized || room.sizes[image] != nil
      else { continue }
      if column + box.columns > width {
        leaveLines(for: row)
        (row, column) = ([], 0)
      }
      row.append((image, box, column))
      column += box.columns + 2
    }
    leaveLines(for: row)
  }

  private mutating func leaveLines(for row: [(image: Int32, box: ImageRoom.Box, column: Int)]) {
    for (image, box, column) in row {
      writer.addImageBox(
        image, box, column: margin + indentation.columns + column, hasNeighbours: true)
    }
    for _ in 0..<(row.map(\.box.rows).max() ?? 0) {
      beginLine()
      writer.endLine(source: source)
    }
  }
}

extension Document {
  /// Whether nothing stands on the lines of some runs of a leaf but they.
  fileprivate func isLine(_ range: Range<Int32>, of block: Block) -> Bool {
    let isFirst =
      range.lowerBound == block.runs.lowerBound
      || text[Int(runs[Int(range.lowerBound) - 1].end) - 1] == 0x0A
    let isLast =
      range.upperBound == block.runs.upperBound
      || text[Int(runs[Int(range.upperBound) - 1].end) - 1] == 0x0A
      || text[Int(runs[Int(range.upperBound)].start)] == 0x0A
    return isFirst && isLast
  }

  /// The images of a leaf that has nothing but several of them; nil for others.
  func images(of block: Block) -> [Int32]? {
    guard !block.runs.isEmpty, runs[Int(block.runs.lowerBound)].image >= 0 else { return nil }
    var images: [Int32] = []
    for run in runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)] {
      if run.image >= 0 {
        if images.last != run.image { images.append(run.image) }
      } else if text[Int(run.start)..<Int(run.end)].contains(where: { $0 != 0x20 && $0 != 0x0A }) {
        return nil
      }
    }
    return images.count > 1 ? images : nil
  }
}
