import Document
package import Layout
import Reader

/// What is folded away of a page: what comes before its main content, disclosures, parts of code.
extension PageView {
  /// Opens what is folded, or folds what is open.
  /// - Parameters:
  ///   - target: the navigation or a disclosure.
  ///   - height: Rows of the screen for the page.
  package mutating func toggle(fold target: PageLayout.Target, height: Int) {
    guard let number = target.details else { return }
    var options = options
    options.toggledDetails.formSymmetricDifference([number])
    let row = line(of: target).map { $0 - top }
    relayout(options, height: height)
    // The line that was opened stays where it is on the screen.
    guard let row, let line = line(of: target) else { return }
    scroll(to: line - row, height: height)
  }

  /// The number of links in closed folds; where no link is shown, those in disclosures count, too.
  package var foldedLinkCount: Int {
    let document = page.document
    guard !numberedLinks.isEmpty else { return document.linkIndices(inBlocks: nil).count }
    let closed = document.parts.indices.filter { index in
      let part = document.parts[index]
      let folds = part.kind == .navigation ? options.foldsNavigation : options.foldsDetails
      let isToggled = options.toggledDetails.contains(document.number(ofPart: index))
      return folds && part.kind.isOpen == isToggled
    }
    guard !closed.isEmpty else { return 0 }
    return closed.reduce(into: Set<Int32>()) { links, index in
      links.formUnion(document.linkIndices(inBlocks: document.parts[index].blocks))
    }.count
  }

  /// Opens everything that folds an offset in `Document.text` away.
  package mutating func unfold(_ source: UInt32, height: Int) {
    unfold([source], height: height)
  }

  /// Unfolds every part that hides some of the search terms; navigation only if they occur nowhere else.
  /// - Parameters:
  ///   - words: the words.
  ///   - height: rows of the screen for the page.
  package mutating func unfold(matching words: String, height: Int) {
    guard options.foldsDetails || options.foldsNavigation else { return }
    let offsets = page.document.offsets(of: words)
    let text = page.document.outsideNavigation(offsets)
    guard !offsets.isEmpty else { return }
    unfold(text.isEmpty ? offsets : text, height: height)
  }

  private mutating func unfold(_ offsets: [UInt32], height: Int) {
    var options = options
    options.toggledDetails.formSymmetricDifference(
      page.document.closedFolds(over: offsets, options.toggledDetails))
    relayout(options, height: height)
  }
}

extension Document {
  /// Returns the offsets that are not in navigation.
  fileprivate func outsideNavigation(_ offsets: [UInt32]) -> [UInt32] {
    let navigation = parts.filter { $0.kind == .navigation }.map { part in
      source(ofBlock: part.blocks.lowerBound)..<source(ofBlock: part.blocks.upperBound)
    }
    guard !navigation.isEmpty else { return offsets }
    var next = 0
    return offsets.filter { offset in
      while next < navigation.count, navigation[next].upperBound <= offset { next += 1 }
      return next == navigation.count || !navigation[next].contains(offset)
    }
  }

  /// Something that folds.
  private typealias Foldable = (number: Int32, content: Range<UInt32>, isOpen: Bool)

  /// All that folds, in the order in which the contents begin.
  private var foldables: [Foldable] {
    var result: [Foldable] = []
    for (index, block) in zip(Int32(0)..., blocks) {
      guard case .details(let isOpen) = block.kind else { continue }
      let start = source(ofBlock: endOfSummary(ofDetails: index))
      result.append((index, start..<max(start, source(ofBlock: block.end)), isOpen))
    }
    for (index, part) in parts.enumerated() {
      let start = source(ofBlock: part.blocks.lowerBound)
      let content = start..<max(start, source(ofBlock: part.blocks.upperBound))
      result.append((number(ofPart: index), content, part.kind.isOpen))
    }
    // A disclosure in the place of a summary is before the content.
    result.sort { ($0.content.lowerBound, $0.number) < ($1.content.lowerBound, $1.number) }
    // Only a page that is all code has these, and in their order.
    for (number, fold) in zip(Int32(blocks.count)..., folds) {
      result.append((number, fold.content, fold.isOpen))
    }
    return result
  }

  /// The parts that fold one of some offsets away.
  /// - Parameters:
  ///   - offsets: offsets in `text`, ascending.
  ///   - toggled: which parts are not as the page has them.
  /// - Returns: their numbers, as in `LayoutOptions.toggledDetails`.
  fileprivate func closedFolds(over offsets: [UInt32], _ toggled: Set<Int32>) -> Set<Int32> {
    let parts = foldables
    var result: Set<Int32> = []
    /// Indices of the parts around the offset, from the outside to the inside.
    var around: [Int] = []
    var next = 0
    for offset in offsets {
      while next < parts.count, parts[next].content.lowerBound <= offset {
        around.dropLast(while: { parts[$0].content.upperBound <= parts[next].content.lowerBound })
        around.append(next)
        next += 1
      }
      around.dropLast(while: { parts[$0].content.upperBound <= offset })
      for index in around.reversed() {
        let part = parts[index]
        if part.isOpen == toggled.contains(part.number), !result.insert(part.number).inserted {
          break
        }
      }
    }
    return result
  }
}

extension [Int] {
  /// Drops the last elements as long as they are of some kind.
  fileprivate mutating func dropLast(while isDropped: (Int) -> Bool) {
    while let last, isDropped(last) { removeLast() }
  }
}
