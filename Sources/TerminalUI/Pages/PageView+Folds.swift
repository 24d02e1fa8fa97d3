import Pages
import Document
package import Layout

/// Folds: parts of the page that are not its main content, such as navigation or comments
/// (`Document.BlockFold`), disclosures (`details`), and regions of source code.
extension PageView {
  /// Opens a closed fold or closes an open one.
  /// - Parameters:
  ///   - target: The fold.
  ///   - height: The number of screen rows for the page.
  package mutating func toggleFold(_ target: PageLayout.Target, height: Int) {
    guard let number = target.foldNumber else { return }
    var options = options
    options.toggledFolds.formSymmetricDifference([number])
    let row = line(of: target).map { $0 - topLine }
    relayout(options, height: height)
    // The toggled line keeps its row on the screen.
    guard let row, let line = line(of: target) else { return }
    scroll(to: line - row, height: height)
  }

  /// The number of links in closed folds. If no links are shown, this is the number of all links of
  /// the page.
  package var foldedLinkCount: Int {
    let document = page.document
    guard !numberedLinks.isEmpty else { return document.linkIndices(inBlocks: nil).count }
    let closed = document.blockFolds.indices.filter { index in
      let part = document.blockFolds[index]
      let folds = part.kind == .navigation ? options.foldsNavigation : options.foldsDetails
      let isToggled = options.toggledFolds.contains(document.foldNumber(ofBlockFold: index))
      return folds && part.kind.isInitiallyOpen == isToggled
    }
    guard !closed.isEmpty else { return 0 }
    return closed.reduce(into: Set<Int32>()) { links, index in
      links.formUnion(document.linkIndices(inBlocks: document.blockFolds[index].blocks))
    }.count
  }

  /// Opens every fold that hides an offset in `Document.text`.
  package mutating func unfold(_ source: UInt32, height: Int) {
    unfold([source], height: height)
  }

  /// Opens every fold that hides an occurrence of the search terms; navigation only if they occur
  /// nowhere else.
  /// - Parameters:
  ///   - searchText: The search terms.
  ///   - height: The number of screen rows for the page.
  package mutating func unfold(matching searchText: String, height: Int) {
    guard options.foldsDetails || options.foldsNavigation else { return }
    let document = page.document
    let hidden = document.offsets(
      of: searchText, in: document.closedContentRanges(options.toggledFolds))
    guard !hidden.isEmpty else { return }
    let text = document.offsetsOutsideNavigation(hidden)
    // If only navigation hides the terms, they may still be shown elsewhere.
    if text.isEmpty, document.occursOutsideNavigation(searchText) { return }
    unfold(text.isEmpty ? hidden : text, height: height)
  }

  /// The text in closed folds, as ranges of offsets in `Document.text`, ascending.
  var hiddenTextRanges: [Range<UInt32>] {
    guard options.foldsDetails || options.foldsNavigation else { return [] }
    return page.document.closedContentRanges(options.toggledFolds)
  }

  /// The maximum depth of folds within each other that are opened for a passage.
  private static let maxFoldDepth = 64

  /// Opens every fold that hides a part of a passage, and returns whether there was one.
  mutating func unfold(in passage: Range<UInt32>, height: Int) -> Bool {
    for depth in 0..<Self.maxFoldDepth {
      let hidden = hiddenTextRanges.map { $0.clamped(to: passage) }.filter { !$0.isEmpty }
      if hidden.isEmpty { return depth > 0 }
      unfold(hidden.map(\.lowerBound), height: height)
    }
    return true
  }

  private mutating func unfold(_ offsets: [UInt32], height: Int) {
    var options = options
    options.toggledFolds.formSymmetricDifference(
      page.document.closedFolds(over: offsets, options.toggledFolds))
    relayout(options, height: height)
  }
}

extension Document {
  /// The content of the navigation, in offsets in `text`.
  private var navigationRanges: [Range<UInt32>] {
    blockFolds.filter { $0.kind == .navigation }.map { part in
      textOffset(ofBlock: part.blocks.lowerBound)..<textOffset(ofBlock: part.blocks.upperBound)
    }
  }

  /// Returns whether a text occurs outside navigation.
  fileprivate func occursOutsideNavigation(_ text: String) -> Bool {
    var outside: [Range<UInt32>] = []
    var start: UInt32 = 0
    for part in navigationRanges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if part.lowerBound > start { outside.append(start..<part.lowerBound) }
      start = max(start, part.upperBound)
    }
    return !offsets(of: text, in: outside + [start..<UInt32.max], maxMatches: 1).isEmpty
  }

  /// Returns the content of the outermost closed folds.
  /// - Parameter toggledFolds: The folds whose state differs from their initial one.
  /// - Returns: Ranges of offsets in `text`, ascending.
  fileprivate func closedContentRanges(_ toggledFolds: Set<Int32>) -> [Range<UInt32>] {
    var result: [Range<UInt32>] = []
    for fold in foldables where fold.isOpen == toggledFolds.contains(fold.number) {
      let start = max(fold.content.lowerBound, result.last?.upperBound ?? 0)
      if start < fold.content.upperBound { result.append(start..<fold.content.upperBound) }
    }
    return result
  }

  /// Returns the offsets that are not in navigation.
  fileprivate func offsetsOutsideNavigation(_ offsets: [UInt32]) -> [UInt32] {
    let navigation = navigationRanges
    guard !navigation.isEmpty else { return offsets }
    var next = 0
    return offsets.filter { offset in
      while next < navigation.count, navigation[next].upperBound <= offset { next += 1 }
      return next == navigation.count || !navigation[next].contains(offset)
    }
  }

  /// A foldable region of the document.
  private typealias Foldable = (number: Int32, content: Range<UInt32>, isOpen: Bool)

  /// All foldable regions, ordered by the start of their content.
  private var foldables: [Foldable] {
    var result: [Foldable] = []
    for (index, block) in zip(Int32(0)..., blocks) {
      guard case .details(let isOpen) = block.kind else { continue }
      let start = textOffset(ofBlock: endOfSummary(ofDetails: index))
      result.append((index, start..<max(start, textOffset(ofBlock: block.end)), isOpen))
    }
    for (index, part) in blockFolds.enumerated() {
      let start = textOffset(ofBlock: part.blocks.lowerBound)
      let content = start..<max(start, textOffset(ofBlock: part.blocks.upperBound))
      result.append((foldNumber(ofBlockFold: index), content, part.kind.isInitiallyOpen))
    }
    // If a disclosure is the summary of another one, its content precedes that of the other.
    result.sort { ($0.content.lowerBound, $0.number) < ($1.content.lowerBound, $1.number) }
    // Only pages of source code have `textFolds`, which are already in order.
    for (number, fold) in zip(Int32(blocks.count)..., textFolds) {
      result.append((number, fold.content, fold.isInitiallyOpen))
    }
    return result
  }

  /// Returns the closed folds that hide at least one of the given offsets.
  /// - Parameters:
  ///   - offsets: Offsets in `text`, ascending.
  ///   - toggledFolds: The folds whose state differs from their initial one.
  /// - Returns: Their numbers, as in `LayoutOptions.toggledFolds`.
  fileprivate func closedFolds(over offsets: [UInt32], _ toggledFolds: Set<Int32>) -> Set<Int32> {
    let parts = foldables
    var result: Set<Int32> = []
    /// The indices of the regions that contain the offset, outermost first.
    var enclosing: [Int] = []
    var next = 0
    for offset in offsets {
      while next < parts.count, parts[next].content.lowerBound <= offset {
        enclosing.dropLast(while: { parts[$0].content.upperBound <= parts[next].content.lowerBound }
        )
        enclosing.append(next)
        next += 1
      }
      enclosing.dropLast(while: { parts[$0].content.upperBound <= offset })
      for index in enclosing.reversed() {
        let part = parts[index]
        if part.isOpen == toggledFolds.contains(part.number), !result.insert(part.number).inserted {
          break
        }
      }
    }
    return result
  }
}

extension [Int] {
  /// Removes the last elements as long as they satisfy the predicate.
  fileprivate mutating func dropLast(while isDropped: (Int) -> Bool) {
    while let last, isDropped(last) { removeLast() }
  }
}
