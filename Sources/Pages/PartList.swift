import Document

/// The parts of a document, such as the chapters of a book.
package struct PartList: Sendable, Equatable {
  /// The title of the whole document.
  package var title: String
  /// The URL of the table of contents.
  package var contentsURL: DocumentAddress
  /// The parts, in order.
  package var parts: [Part]
  /// The index of the part on screen; nil for the table of contents.
  package var index: Int?
  /// The table of contents; empty if the document has none.
  package var entries: [Entry]

  /// Creates a list of parts.
  package init(
    title: String, contentsURL: DocumentAddress, parts: [Part], index: Int?, entries: [Entry] = []
  ) {
    (self.title, self.contentsURL, self.parts, self.index) = (title, contentsURL, parts, index)
    self.entries = entries
  }

  /// An entry of the table of contents.
  package struct Entry: Sendable, Equatable {
    package var title: String
    /// The URL of the part without a fragment; nil for a heading without a link.
    package var part: DocumentAddress?
    /// The fragment in the part, or empty.
    package var fragment: String
    /// The nesting level, from 0.
    package var level: Int

    /// The URL that the entry leads to; nil for a heading without a link.
    package var url: DocumentAddress? {
      part?.appending(fragment: fragment.isEmpty ? "" : "#\(fragment)")
    }

    /// Creates an entry.
    package init(
      title: String, part: DocumentAddress?, fragment: String = "", level: Int = 0
    ) {
      (self.title, self.part, self.fragment, self.level) = (title, part, fragment, level)
    }
  }

  package struct Part: Sendable, Equatable {
    package var url: DocumentAddress
    package var title: String
    /// Whether the part belongs to the reading order; other parts are reached by links only.
    package var isLinear: Bool

    /// Creates a part.
    package init(url: DocumentAddress, title: String, isLinear: Bool = true) {
      (self.url, self.title, self.isLinear) = (url, title, isLinear)
    }
  }

  /// Returns the progress in the whole document, counting each part in reading order alike.
  /// - Parameter percent: the progress in the part on screen, from 0 to 100.
  /// - Returns: the progress, from 0 to 100; 0 for the table of contents.
  package func totalPercent(_ percent: Int) -> Int {
    guard let index else { return 0 }
    let order = readingOrder
    let position = order.firstIndex(of: index) ?? 0
    return (position * 100 + min(max(percent, 0), 100)) / max(1, order.count)
  }

  /// Returns the URL of the part that is a number of steps away in reading order, which starts with
  /// the table of contents.
  /// - Parameter steps: the number of steps; negative to go back.
  /// - Returns: the URL; nil before the first part and after the last one.
  package func url(_ steps: Int) -> DocumentAddress? {
    partIndex(steps).map { $0.map { parts[$0].url } ?? contentsURL }
  }

  /// Returns the indices of the other parts in the order of a search that begins at the part on
  /// screen and continues at the other end of the document.
  package func searchOrder(isForward: Bool) -> [Int] {
    let start = index ?? -1
    let others = parts.indices.filter { index == nil || parts[$0].url != parts[start].url }
    let (before, after) = (others.filter { $0 < start }, others.filter { $0 > start })
    return isForward ? after + before : before.reversed() + after.reversed()
  }

  /// The indices of the parts in reading order. A part that is reached by links only belongs to the
  /// order while it is shown.
  private var readingOrder: [Int] { parts.indices.filter { parts[$0].isLinear || $0 == index } }

  /// Returns the index of the part that is a number of steps away in reading order; `.some(nil)`
  /// for the table of contents, and nil before the first part and after the last one.
  private func partIndex(_ steps: Int) -> Int?? {
    let order = [nil] + readingOrder
    guard let position = order.firstIndex(of: index).map({ $0 + steps }),
      order.indices.contains(position)
    else { return nil }
    return order[position]
  }

  /// The links around the content of the part; nil for the table of contents.
  package var frame: PageFrame? {
    guard index != nil else { return nil }
    func link(_ name: String, _ steps: Int) -> String? {
      guard let index = partIndex(steps) ?? nil else { return nil }
      let part = parts[index]
      return
        "<a href=\"\(Markup.escaped(part.url.text))\">\(name): \(Markup.escaped(part.title))</a>"
    }
    let contentsLink = "<a href=\"\(Markup.escaped(contentsURL.text))\">Contents</a>"
    let (before, after) = (link("Previous", -1), link("Next", 1))
    func line(_ links: [String?]) -> String {
      "<p>\(links.compactMap(\.self).joined(separator: " &#183; "))</p>"
    }
    return PageFrame(
      head: line([before, contentsLink, after]), tail: "<hr>" + line([after, contentsLink, before]))
  }
}
