import Commands
import DOM
import Document
package import Layout
import Pages
package import Terminal

/// The content of a box beside a link: a footnote of the page, or the first lines of a saved page.
package struct Preview: Sendable, Equatable {
  /// The link.
  package var target: PageLayout.Target
  /// The texts of the box, not yet wrapped.
  package var texts: [Text]
  /// The load of the page; nil if the preview is complete.
  var load: LoadID?

  /// A text with its style.
  package struct Text: Sendable, Equatable {
    package var text: String
    package var role: Role

    init(_ content: String, _ role: Role = .text) {
      self.text = content
      self.role = role
    }
  }
}

extension Document {
  /// Returns the text of a footnote: from an offset to the end of its list item, definition or
  /// table row, or to the next link target on the page. Backlink arrows are omitted.
  func footnote(at offset: UInt32) -> String {
    guard let first = leaf(at: offset) else { return "" }
    let block = enclosingBlock(around: first, from: offset) ?? first
    let next = linkedOffsets.filter { $0 > offset }.min() ?? .max
    var parts: [String] = []
    for leaf in blocks[first..<Int(blocks[block].end)] where !leaf.runs.isEmpty {
      let runs = self.runs[Int(leaf.runs.lowerBound)..<Int(leaf.runs.upperBound)]
      let text = runs.filter {
        $0.start >= offset && $0.start < next && !isBacklink($0, to: offset)
      }
      .map(text).joined()
      if runs.first.map({ $0.start >= next }) ?? false { break }
      parts.append(text)
    }
    return parts.joined(separator: " ").split { $0 == " " || $0 == "\n" || $0 == "\t" }
      .joined(separator: " ")
  }

  /// Returns the index in `blocks` of the first leaf with text at or after an offset, or nil.
  private func leaf(at offset: UInt32) -> Int? {
    blocks.firstIndex { block in
      !block.runs.isEmpty && runs[Int(block.runs.upperBound) - 1].end > offset
    }
  }

  /// Returns the index of the item, definition or row that begins at or after the offset and
  /// contains the leaf; for a heading, the block after it; otherwise nil.
  private func enclosingBlock(around leaf: Int, from offset: UInt32) -> Int? {
    if case .heading = blocks[leaf].kind, blocks.indices.contains(leaf + 1) { return leaf + 1 }
    return blocks[...leaf].indices.last { index in
      guard Int(blocks[index].end) > leaf else { return false }
      switch blocks[index].kind {
      case .item, .definition, .row: return textOffset(ofBlock: Int32(index)) >= offset
      default: return false
      }
    }
  }

  /// The offsets of the anchors to which links lead.
  private var linkedOffsets: Set<UInt32> {
    let names = Set(links.compactMap { $0.target.split(separator: "#").last.map(String.init) })
    return Set(anchors.filter { names.contains($0.name) }.map(\.offset))
  }

  /// Returns whether a run is a backlink: at most `maxBacklinkLength` characters that link to an
  /// earlier position on the page.
  private func isBacklink(_ run: Run, to offset: UInt32) -> Bool {
    guard let link = run.link.value, links.indices.contains(link),
      text(of: run).count <= Self.maxBacklinkLength,
      let hash = links[link].target.firstIndex(of: "#")
    else { return false }
    let name = links[link].target[hash...].dropFirst()
    return anchors.first { $0.name == name }.map { $0.offset < offset } ?? false
  }

  /// The maximum length of a backlink such as `↩`, `^` or `a`, in characters.
  private static let maxBacklinkLength = 3

  /// The first paragraph of at least `minParagraphLength` characters in the main content, or else
  /// the longest paragraph.
  var firstParagraph: String {
    let paragraphs = blocks[min(mainContentBlock, blocks.count)...].lazy.filter {
      $0.kind == .paragraph
    }
    .map(text)
    return paragraphs.first { $0.count >= Self.minParagraphLength }
      ?? paragraphs.max { $0.count < $1.count } ?? ""
  }

  /// The length below which a paragraph is probably only a date or a name, in characters.
  private static let minParagraphLength = 60
}
