package import Document

/// Which paragraphs of a page differ from another version of it, for marks beside them.
package struct PageChanges: Sendable, Equatable {
  /// A paragraph that differs.
  package struct Mark: Sendable, Equatable {
    /// Where it stands in `Document.text`.
    package var source: Range<UInt32>
    /// How it differs.
    package var kind: Kind
    /// Which of the changes it belongs to, from 0: paragraphs that follow each other are one
    /// change.
    package var change: Int
  }

  /// How a paragraph differs from the other version.
  package enum Kind: Sendable, Equatable, CaseIterable {
    /// The other version has it in other words.
    case changed
    /// The other version has it not.
    case inserted
    /// It is the same, but the other version has something before it, or behind it at the end of
    /// the page.
    case gap
  }

  /// The paragraphs in their order.
  package private(set) var marks: [Mark] = []
  /// How many changes there are.
  package private(set) var count = 0

  /// As many bytes of text of both versions together are compared, some tenths of a second of work.
  package static let limit = 32 << 20

  /// Finds out what of a page differs from another version; nil when they are too long to be
  /// compared.
  /// - Parameters:
  ///   - other: the version with which it is compared.
  ///   - page: the version that gets the marks.
  package init?(from other: Document, to page: Document) {
    guard other.text.count + page.text.count <= Self.limit else { return nil }
    let units = TextUnit.all(of: page)
    self.init(PageDifference(TextUnit.all(of: other), units), units)
  }

  init(_ difference: PageDifference, _ units: [TextUnit]) {
    var next = 0
    var (isOpen, hasGap) = (false, false)
    /// Marks where something is gone, unless a paragraph of the same change is marked anyway.
    func closeGap(_ unit: TextUnit?) {
      guard hasGap, let unit, marks.last?.change != count - 1 else { return }
      // The last paragraph may have something missing on both sides.
      if marks.last?.source == unit.source { return count -= 1 }
      marks.append(Mark(source: unit.source, kind: .gap, change: count - 1))
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
        marks.append(
          Mark(source: units[next].source, kind: isNew ? .inserted : .changed, change: count - 1))
        next += 1
      }
    }
    closeGap(units.last)
  }

  /// The index in `marks` of the paragraph that holds an offset in `Document.text`, or nil.
  package func mark(at source: UInt32) -> Int? {
    let index = firstMark(endingAfter: source)
    return marks.indices.contains(index) && marks[index].source.lowerBound <= source ? index : nil
  }

  /// The index in `marks` of the first one that ends behind an offset in `Document.text`.
  package func firstMark(endingAfter source: UInt32) -> Int {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].source.upperBound <= source { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where each change begins in `Document.text`.
  package var starts: [UInt32] {
    var starts: [UInt32] = []
    for mark in marks where mark.change == starts.count { starts.append(mark.source.lowerBound) }
    return starts
  }
}
