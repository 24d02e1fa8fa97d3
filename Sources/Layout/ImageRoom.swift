import Document

/// How much room images get: known before any of them has come, so that nothing moves when it does.
package struct ImageRoom: Sendable, Equatable {
  /// The most rows of an image.
  package var rows: Int
  /// How high a cell is, when it is one wide.
  package var cellRatio: Double

  package init(rows: Int, cellRatio: Double = 2) {
    self.rows = rows
    self.cellRatio = cellRatio
  }

  /// Cells.
  package struct Box: Sendable, Equatable {
    package var columns: Int, rows: Int
  }

  /// Pixels of CSS that a column stands for: letters on pages are about as wide.
  private static let columnPixels = 8.0
  /// What stands for an image of which nothing is known: as pages have most of their pictures.
  private static let usual = (width: 480.0, ratio: 0.75)
  /// An image that is lower or narrower is an icon, and gets no room.
  private static let icon: Int32 = 48

  /// The room of an image in so many columns; nil for none.
  func box(for image: Document.Image, columns: Int) -> Box? {
    guard columns >= 2, rows >= 1, !image.source.isEmpty else { return nil }
    let sides = [image.width, image.height].filter { $0 > 0 }
    guard sides.allSatisfy({ $0 >= Self.icon }) else { return nil }
    var width = Double(image.width), height = Double(image.height)
    if width <= 0, height <= 0 { width = Self.usual.width }
    if width <= 0 { width = height / Self.usual.ratio }
    if height <= 0 { height = width * Self.usual.ratio }
    let ratio = height / width
    var wide = min(Double(columns), width / Self.columnPixels)
    let high = min(Double(rows), wide * ratio / cellRatio)
    wide = min(wide, high * cellRatio / ratio)
    return Box(columns: max(1, Int(wide.rounded())), rows: max(1, Int(high.rounded())))
  }
}

extension BlockLayout {
  /// Leaves lines for an image below its words.
  mutating func reserveRoom(forImage image: Int32) {
    guard let room = input.options.imageRoom, input.document.images.indices.contains(Int(image))
    else { return }
    let picture = input.document.images[Int(image)]
    guard let box = room.box(for: picture, columns: textRoom) else { return }
    let isSized = picture.width > 0 && picture.height > 0
    writer.addImageBox(image, box, column: margin + indentation.columns, isSized: isSized)
    for _ in 0..<box.rows {
      beginLine()
      writer.endLine(source: source)
    }
    imageEnd = -1
  }
}
