import Algorithms
import Document
import Layout
import DOM

/// The text of a document, with one line for each leaf block, and the information which lines are
/// navigation.
struct SearchedText {
  /// The text, which is `Document.plainText` or `Document.searchableText`; both have the same
  /// offsets.
  let text: String
  private var leaves: [Leaf] = []

  private struct Leaf {
    /// The offsets of the leaf block's first byte in `text` and in `Document.text`.
    var start: Int, source: Int
    var isNavigation: Bool
  }

  /// The minimum number of consecutive lines of links that form a menu.
  private static let minMenuLines = 4

  /// Creates a text that has no navigation.
  init(_ text: String) { (self.text, leaves) = (text, []) }

  /// Creates the text of a document.
  /// - Parameters:
  ///   - document: The document.
  ///   - hidesNoteNumbers: Whether the numbers of notes after words are omitted, as in the index.
  init(_ document: Document, hidesNoteNumbers: Bool = false) {
    text = String(
      decoding: hidesNoteNumbers ? document.searchableText : document.plainText, as: UTF8.self)
    let folds = document.blockFolds.filter { $0.kind != .revealed && !$0.kind.isComments }.map(
      \.blocks)
    var next = folds.startIndex
    var start = 0
    /// The number of lines at the end so far that consist only of links.
    var links = 0
    for (index, block) in zip(Int32(0)..., document.blocks) {
      guard let first = block.runs.first, let last = block.runs.last else { continue }
      while next < folds.count, folds[next].upperBound <= index { next += 1 }
      let source = Int(document.runs[Int(first)].start)
      let isFolded = next < folds.count && folds[next].contains(index)
      leaves.append(Leaf(start: start, source: source, isNavigation: isFolded))
      start += Int(document.runs[Int(last)].end) - source + 1
      links = document.isOnlyLinks(block) ? links + 1 : 0
      if links == Self.minMenuLines {
        for leaf in leaves.indices.suffix(links) { leaves[leaf].isNavigation = true }
      } else if links > Self.minMenuLines {
        leaves[leaves.count - 1].isNavigation = true
      }
    }
  }

  /// Returns whether an offset of the text is in navigation.
  func isNavigation(_ offset: Int) -> Bool { leaf(at: offset)?.isNavigation ?? false }

  /// Returns the offset in `Document.text` for an offset in `text`; nil if no leaf block contains
  /// the offset.
  func source(of offset: Int) -> UInt32? {
    leaf(at: offset).flatMap { UInt32(exactly: $0.source + offset - $0.start) }
  }

  private func leaf(at offset: Int) -> Leaf? {
    let first = leaves.partitioningIndex { $0.start > offset }
    return first > 0 ? leaves[first - 1] : nil
  }
}

extension Document {
  /// Returns whether a leaf block consists only of links and punctuation. Headings do not count.
  fileprivate func isOnlyLinks(_ block: Block) -> Bool {
    if case .heading = block.kind { return false }
    return block.runs.allSatisfy { index in
      let run = runs[Int(index)]
      let runText = text[Int(run.start)..<Int(run.end)]
      return run.link != nil || runText.allSatisfy { $0 < 0x30 || (0x3A...0x40).contains($0) }
    }
  }
}
