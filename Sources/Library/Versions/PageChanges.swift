import Algorithms
package import Document

/// The paragraphs of a page that differ from another version of it, to be marked in the margin.
package struct PageChanges: Sendable, Equatable {
  /// A paragraph that differs from the other version.
  package struct ChangedParagraph: Sendable, Equatable {
    /// The range of offsets in `Document.text`.
    package var source: Range<UInt32>
    package var kind: Kind
    /// The index of the change that the paragraph belongs to; consecutive paragraphs form one
    /// change.
    package var changeIndex: Int
  }

  /// The way in which a paragraph differs from the other version.
  package enum Kind: Sendable, Equatable, CaseIterable {
    /// The paragraph has other words in the other version.
    case changed
    /// The paragraph does not exist in the other version.
    case inserted
    /// The paragraph is the same, but the other version has additional text before it, or after it
    /// at the end of the page.
    case gap
  }

  /// The paragraphs, in document order.
  package private(set) var changedParagraphs: [ChangedParagraph] = []
  package private(set) var count = 0

  /// The maximum total size in bytes of the texts of two versions that are compared. Comparing
  /// texts of this size takes some tenths of a second.
  package static let maxTextLength = 32 << 20

  /// Compares a page with another version; returns nil if the texts are too long.
  /// - Parameters:
  ///   - other: The version to compare with.
  ///   - page: The version whose paragraphs are marked.
  package init?(from other: Document, to page: Document) {
    guard other.text.count + page.text.count <= Self.maxTextLength else { return nil }
    let units = TextUnit.all(of: page)
    self.init(PageDifference(TextUnit.all(of: other), units), units)
  }

  init(_ difference: PageDifference, _ units: [TextUnit]) {
    var next = 0
    var (isOpen, hasGap) = (false, false)
    /// Marks removed text, unless a paragraph of the same change is already marked.
    func closeGap(_ unit: TextUnit?) {
      guard hasGap, let unit, changedParagraphs.last?.changeIndex != count - 1 else { return }
      // Text may be missing both before and after the last paragraph.
      if changedParagraphs.last?.source == unit.source { return count -= 1 }
      changedParagraphs.append(
        ChangedParagraph(source: unit.source, kind: .gap, changeIndex: count - 1))
    }
    for part in difference.parts {
      switch part {
      case .unchanged(let paragraphs):
        closeGap(units[next])
        next += paragraphs
        (isOpen, hasGap) = (false, false)
      case .changed(_, let pieces):
        if !isOpen { count += 1 }
        isOpen = true
        guard pieces.contains(where: { $0.change != .deleted }) else {
          hasGap = true
          continue
        }
        let isNew = pieces.allSatisfy { $0.change == .inserted }
        changedParagraphs.append(
          ChangedParagraph(
            source: units[next].source, kind: isNew ? .inserted : .changed, changeIndex: count - 1))
        next += 1
      }
    }
    closeGap(units.last)
  }

  /// Returns the index in `changedParagraphs` of the paragraph that contains an offset in
  /// `Document.text`; nil if there is no changed paragraph at the offset.
  package func paragraph(at source: UInt32) -> Int? {
    let index = firstParagraph(endingAfter: source)
    return changedParagraphs.indices.contains(index)
      && changedParagraphs[index].source.lowerBound <= source ? index : nil
  }

  /// Returns the index in `changedParagraphs` of the first paragraph that ends after an offset in
  /// `Document.text`; `endIndex` if there is none.
  package func firstParagraph(endingAfter source: UInt32) -> Int {
    changedParagraphs.partitioningIndex { $0.source.upperBound > source }
  }

  /// The offset in `Document.text` of the start of each change.
  package var starts: [UInt32] {
    var starts: [UInt32] = []
    for paragraph in changedParagraphs where paragraph.changeIndex == starts.count {
      starts.append(paragraph.source.lowerBound)
    }
    return starts
  }
}
