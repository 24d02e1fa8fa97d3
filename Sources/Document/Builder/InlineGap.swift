/// The horizontal distance that styles set between an inline element and the one directly before
/// it, in pixels.
struct InlineGap {
  private var pixels = 0
  /// The length of the text at the end of the element that ended last; nil for none.
  private var textEnd: Int?

  /// Returns whether an element with a distance after it ended at a position in the text.
  func ends(at position: Int) -> Bool { textEnd == position }

  /// Adds the distance before the next element.
  /// - Returns: The whole distance.
  mutating func widen(by distance: Int) -> Int {
    pixels += distance
    return pixels
  }

  /// Adds the distance after an element that ends at a position.
  mutating func add(_ distance: Int, at position: Int) {
    pixels = (textEnd == position ? pixels : 0) + distance
    textEnd = position
  }
}
