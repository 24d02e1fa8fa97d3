import Commands
import Document
package import Layout
import Reader
package import Terminal

/// What is shown in a box beside a link: a footnote of the page, or what a saved page begins with.
package struct Preview: Sendable, Equatable {
  /// The link.
  package var target: PageLayout.Target
  /// What is said of it, in rows that are still to be wrapped.
  package var texts: [Text]
  /// The load that brings the page; nil when nothing is waited for.
  var load: LoadID?

  /// A text with how it looks.
  package struct Text: Sendable, Equatable {
    package var words: String
    package var role: Role

    init(_ words: String, _ role: Role = .text) {
      self.words = words
      self.role = role
    }
  }
}

extension Document {
  /// A footnote: the text from a place on, up to the end of its entry, or the next place that a link of the
  /// page leads to. Arrows that lead back are left out.
  func footnote(at offset: UInt32) -> String {
    guard let first = leaf(at: offset) else { return "" }
    let block = entry(around: first, from: offset) ?? first
    let next = targets.filter { $0 > offset }.min() ?? .max
    var words: [String] = []
    for leaf in blocks[first..<Int(blocks[block].end)] where !leaf.runs.isEmpty {
      let runs = self.runs[Int(leaf.runs.lowerBound)..<Int(leaf.runs.upperBound)]
      let text = runs.filter { $0.start >= offset && $0.start < next && !leadsBack($0, to: offset) }
        .map(text).joined()
      if runs.first.map({ $0.start >= next }) ?? false { break }
      words.append(text)
    }
    return words.joined(separator: " ").split { $0 == " " || $0 == "\n" || $0 == "\t" }
      .joined(separator: " ")
  }

  /// The first leaf that has text at a place or behind it, as an index in `blocks`.
  private func leaf(at offset: UInt32) -> Int? {
    blocks.firstIndex { block in
      !block.runs.isEmpty && runs[Int(block.runs.upperBound) - 1].end > offset
    }
  }

  /// The item, definition or row that begins at a place and has a leaf in it; what only a heading names goes
  /// on behind it.
  private func entry(around leaf: Int, from offset: UInt32) -> Int? {
    if case .heading = blocks[leaf].kind, blocks.indices.contains(leaf + 1) { return leaf + 1 }
    return blocks[...leaf].indices.last { index in
      guard Int(blocks[index].end) > leaf else { return false }
      switch blocks[index].kind {
      case .item, .definition, .row: return source(ofBlock: Int32(index)) >= offset
      default: return false
      }
    }
  }

  /// Where the links lead that stay on the page.
  private var targets: Set<UInt32> {
    let names = Set(links.compactMap { $0.target.split(separator: "#").last.map(String.init) })
    return Set(anchors.filter { names.contains($0.name) }.map(\.offset))
  }

  /// Whether a run is a sign whose link leads to an earlier place on the page, where the note belongs.
  private func leadsBack(_ run: Run, to offset: UInt32) -> Bool {
    guard links.indices.contains(Int(run.link)), text(of: run).count <= Self.longestArrow,
      let hash = links[Int(run.link)].target.firstIndex(of: "#")
    else { return false }
    let name = links[Int(run.link)].target[hash...].dropFirst()
    return anchors.first { $0.name == name }.map { $0.offset < offset } ?? false
  }

  /// Characters of what leads back: `↩`, `^`, `a`.
  private static let longestArrow = 3

  /// The first paragraph that says something; of short ones the longest.
  var firstParagraph: String {
    let paragraphs = blocks[min(mainContent, blocks.count)...].lazy.filter { $0.kind == .paragraph }
      .map(text)
    return paragraphs.first { $0.count >= Self.shortParagraph }
      ?? paragraphs.max { $0.count < $1.count } ?? ""
  }

  /// Shorter paragraphs are dates and names, mostly, in characters.
  private static let shortParagraph = 60
}
