extension Document {
  /// A page of a document that has pages, such as a PDF file.
  package struct PageStart: Equatable, Sendable {
    /// The number of the page, from 1.
    package var number: Int
    /// The offset of the first byte of the page in `Document.text`.
    package var offset: UInt32
  }

  /// The starts of the pages after the first one, in order: the targets `page-2`, `page-3` and so
  /// on. Empty if the document has no pages.
  package var pageStarts: [PageStart] {
    var starts: [PageStart] = []
    for anchor in anchors where anchor.name.hasPrefix("page-") {
      guard let number = Int(anchor.name.dropFirst(5)), number == starts.count + 2 else { continue }
      starts.append(PageStart(number: number, offset: anchor.offset))
    }
    return starts
  }

  /// Returns the offset of the page that is `steps` pages after the one at an offset; 0 for the
  /// first page. Returns nil if there is no such page, or if the document has no pages.
  package func pageOffset(_ steps: Int, from offset: UInt32) -> UInt32? {
    let starts = [0] + pageStarts.map(\.offset)
    guard starts.count > 1, let current = starts.lastIndex(where: { $0 <= offset }) else {
      return nil
    }
    let index = current + steps
    return starts.indices.contains(index) ? starts[index] : nil
  }
}
