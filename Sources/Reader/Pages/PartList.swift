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

    /// Makes a part; see the members.
    package init(url: String, title: String) { (self.url, self.title) = (url, title) }
  }

  /// The part some places further; the table of contents stands before the first one.
  /// - Parameter steps: how many; negative ones lead back.
  /// - Returns: its address; nil where there is none.
  package func url(_ steps: Int) -> String? {
    let place = (index ?? -1) + steps
    if place == -1, index != nil { return contents }
    return parts.indices.contains(place) ? parts[place].url : nil
  }

  /// The links around the part that is shown; nil for the table of contents.
  var frame: PageFrame? {
    guard let index else { return nil }
    func link(_ name: String, _ place: Int) -> String? {
      guard parts.indices.contains(place) else { return nil }
      let part = parts[place]
      return
        "<a href=\"\(Markup.escaped(part.url))\">\(name): \(Markup.escaped(part.title))</a>"
    }
    let table = "<a href=\"\(Markup.escaped(contents))\">Contents</a>"
    let (before, after) = (link("Previous", index - 1), link("Next", index + 1))
    func line(_ links: [String?]) -> String {
      "<p>\(links.compactMap(\.self).joined(separator: " &#183; "))</p>"
    }
    return PageFrame(
      head: line([before, table, after]), tail: "<hr>" + line([after, table, before]))
  }
}
