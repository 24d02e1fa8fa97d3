/// A table cell that is one run of ASCII; it needs no layout if it fits on one line.
struct PlainCell {
  /// The byte range of the cell's text in `Document.text`.
  var textRange: Range<Int>
  var style: TextStyle
  var target: PageLayout.Target?
}
