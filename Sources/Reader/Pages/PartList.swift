import Document

/// The parts of one reading, such as the chapters of a book.
package struct PartList: Sendable, Equatable {
  /// What they are parts of.
  package var title: String
  /// The address of the table of contents.
  package var contents: String
  /// The parts, in order.
  package var parts: [Part]
  /// Which of them is shown; nil for the table of contents.
  package var index: Int?

  /// Makes a list; see the members.
  package init(title: String, contents: String, parts: [Part], index: Int?) {
    (self.title, self.contents, self.parts, self.index) = (title, contents, parts, index)
  }

  /// A part.
  package struct Part: Sendable, Equatable {
    /// Its address.
    package var url: String
    /// What it is called.
    package var title: String
    /// Whether it is read in its turn; the others are reached by links only.
    package var isLinear: Bool

    /// Creates a part; see the members.
    package init(url: String, title: String, isLinear: Bool = true) {
      (self.url, self.title, self.isLinear) = (url, title, isLinear)
    }
  }

  /// What is some steps further in reading order, which begins with the table of contents.
  /// - Parameter steps: how many; negative to go back.
  /// - Returns: its URL; nil before the first and after the last.
  package func url(_ steps: Int) -> String? {
    place(steps).map { $0.map { parts[$0].url } ?? contents }
  }

  /// The index of the part some steps further in reading order, in which a part that is reached by links only
  /// stands while it is shown; `.some(nil)` for the table of contents.
  private func place(_ steps: Int) -> Int?? {
    let order = [nil] + parts.indices.filter { parts[$0].isLinear || $0 == index }
    guard let place = order.firstIndex(of: index).map({ $0 + steps }),
      order.indices.contains(place)
    else { return nil }
    return order[place]
  }

  /// The links around the part that is shown; nil for the table of contents.
  var frame: PageFrame? {
    guard index != nil else { return nil }
    func link(_ name: String, _ steps: Int) -> String? {
      guard let index = place(steps) ?? nil else { return nil }
      let part = parts[index]
      return
        "<a href=\"\(Markup.escaped(part.url))\">\(name): \(Markup.escaped(part.title))</a>"
    }
    let table = "<a href=\"\(Markup.escaped(contents))\">Contents</a>"
    let (before, after) = (link("Previous", -1), link("Next", 1))
    func line(_ links: [String?]) -> String {
      "<p>\(links.compactMap(\.self).joined(separator: " &#183; "))</p>"
    }
    return PageFrame(
      head: line([before, table, after]), tail: "<hr>" + line([after, table, before]))
  }
}
