/// Counts of the text below an element.
struct TextMeasure {
  /// The numbers of characters, of characters in links (in tenths), of commas and of block
  /// elements.
  var counts = SIMD4<Int32>()

  /// The number of characters, with runs of white space counted once.
  var length: Int32 { counts[0] }
  /// The number of characters in links; those in links within the page count 0.3.
  var linkLength: Float { Float(counts[1]) / 10 }
  /// The number of commas of any script.
  var commaCount: Int32 { counts[2] }
  /// The number of elements that do not fit into a paragraph.
  var blockElementCount: Int32 { counts[3] }
  /// The share of the text in links, 0 to 1.
  var linkDensity: Float { length == 0 ? 0 : linkLength / Float(length) }
}
