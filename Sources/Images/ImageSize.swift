/// A size in cells or pixels.
package struct ImageSize: Sendable, Hashable {
  package var width: Int, height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses a text such as `40x12`; nil for any other text, and if a number is not from 1 to
  /// 10,000.
  init?(_ text: Substring) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...10_000).contains(width), (1...10_000).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  var text: String { "\(width)x\(height)" }

  /// Returns the number of cells that an image covers within a box of this size, preserving its
  /// aspect ratio.
  /// - Parameters:
  ///   - imageSize: the size of the image in pixels.
  ///   - cellSize: the size of a cell in pixels.
  ///   - mayEnlarge: whether the image may be enlarged.
  /// - Returns: the size in cells, at least 1 by 1.
  package func fitting(_ imageSize: ImageSize, cellSize: ImageSize, mayEnlarge: Bool) -> ImageSize {
    let width = Double(max(1, imageSize.width)), height = Double(max(1, imageSize.height))
    var scale = min(
      Double(self.width * cellSize.width) / width, Double(self.height * cellSize.height) / height)
    if !mayEnlarge { scale = min(scale, 1) }
    return ImageSize(
      width: min(self.width, max(1, Int((width * scale / Double(cellSize.width)).rounded()))),
      height: min(self.height, max(1, Int((height * scale / Double(cellSize.height)).rounded()))))
  }
}
