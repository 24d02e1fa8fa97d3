/// A rectangle on a page of a PDF file, in points; the origin is the upper left corner of the page.
package struct PDFBox: Sendable, Equatable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  package init(left: Double, top: Double, right: Double, bottom: Double) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var centerY: Double { (top + bottom) / 2 }
  var centerX: Double { (left + right) / 2 }

  /// Returns the horizontal distance to another box, which is negative if they overlap.
  func gap(to other: PDFBox) -> Double {
    other.left >= right ? other.left - right : left - other.right
  }

  /// Returns the smallest box that contains both boxes.
  func union(_ other: PDFBox) -> PDFBox {
    PDFBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
