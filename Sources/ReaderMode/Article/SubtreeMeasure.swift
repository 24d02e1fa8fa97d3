/// Counts of the content below an element of an article.
struct SubtreeMeasure: Sendable {
  /// The quantities that are counted. Characters in nested headings, lists and elements that
  /// usually hold text count repeatedly.
  enum Count: Int {
    /// The number of characters, with runs of white space counted once.
    case length
    /// The number of characters removed from below the element.
    case removedLength
    /// The number of characters in links, in tenths; those in links within the page count 3 tenths.
    case linkTenths
    /// The number of commas of any script.
    case commas
    /// The numbers of characters in headings, in lists, and in elements that usually hold text.
    case headingLength, listLength, textLength
    /// The numbers of `p`, `img` and other elements below the element; `tables` are data tables.
    case paragraphs, images, captions, items, inputs, embeds, tables
  }

  var counts = SIMD16<Int32>()

  subscript(count: Count) -> Int32 {
    get { counts[count.rawValue] }
    set { counts[count.rawValue] = newValue }
  }

  var length: Int32 { self[.length] }
  /// The share of the text in links, 0 to 1.
  var linkDensity: Float { length == 0 ? 0 : Float(self[.linkTenths]) / 10 / Float(length) }
  /// The share of the text in headings; above 1 if headings are nested.
  var headingDensity: Float { length == 0 ? 0 : Float(self[.headingLength]) / Float(length) }
}
