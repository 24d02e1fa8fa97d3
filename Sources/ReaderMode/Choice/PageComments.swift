import DOM
import Document
import Metadata

/// The comments of readers below the text of a page, found by the names of their elements.
struct PageComments: Sendable {
  /// The outermost elements with comments, in document order.
  private(set) var elements: [Int32] = []
  /// For each block of the page, whether it is in one of `elements`.
  private(set) var isInsideComments: [Bool]
  /// For each block of the page, whether it is a part of a comment, not a form or a control.
  private(set) var isCommentPart: [Bool]
  private(set) var count = 0

  /// The minimum number of words of prose outside comments; a page with less consists of comments.
  private static let minProseWordCount = 20
  /// The maximum number of words of a control such as "Reply" or "Report".
  private static let maxControlWordCount = 4
  /// The minimum number of words of a comment with its author and date.
  private static let minItemWordCount = 3
  /// The minimum number of items of a list.
  private static let minItems = 3
  /// The minimum number of words of comments whose items are not recognized.
  private static let minWordCount = 8

  /// Finds the comments of a page; returns nil if there are none, or if the page is a thread, whose
  /// posts are not comments on another text.
  init?(of page: PageBlocks, _ kind: PageKind, in tree: DOMTree) {
    guard kind.mayBeOneText || page.signals.declaredKinds.contains(.article),
      !page.isThread
    else { return nil }
    isInsideComments = Array(repeating: false, count: page.blocks.count)
    isCommentPart = isInsideComments
    var areas: [Int] = []
    var end: Int32 = 0
    for (index, container) in page.containers.enumerated().dropFirst()
    where container.blockRange.lowerBound >= end && !container.blockRange.isEmpty
      && CommentArea.hasCommentName(container.node, in: tree)
      && !page.containsFirstTitle(container.blockRange)
      && !page.textSections.contains(index)
    {
      areas.append(index)
      end = container.blockRange.upperBound
    }
    // What is named as a comment in each item of a list belongs to the item.
    func isInItem(_ area: Int) -> Bool {
      page.containers[area].unitIndex.value.map { $0 != area } ?? false
    }
    if areas.count(where: isInItem) >= Self.minItems { areas.removeAll(where: isInItem) }
    guard !areas.isEmpty else { return nil }
    let inside = areas.reduce(0) { $0 + page.sum(page.containers[$1].blockRange).proseWordCount }
    guard page.sum(page.allBlockIndices).proseWordCount - inside >= Self.minProseWordCount else {
      return nil
    }
    for area in areas {
      elements.append(page.containers[area].node)
      for index in page.containers[area].blockRange {
        isInsideComments[Int(index)] = true
        isCommentPart[Int(index)] = !Self.isControl(page.blocks[Int(index)], of: page)
      }
    }
    count = areas.reduce(0) { $0 + self.commentCount(in: $1, of: page, tree) }
  }

  /// Whether a block belongs to a form, or is a link or button below a comment.
  private static func isControl(_ block: PageBlocks.Block, of page: PageBlocks) -> Bool {
    if page.distance(to: .form, from: block) != nil { return true }
    let isButton = page.containers[Int(block.containerIndex)].name == .button
    return block.text.wordCount <= maxControlWordCount && (isButton || !block.phrases.isEmpty)
  }

  /// Returns the number of comments in a container: the largest number of inner containers of one
  /// element and class that are named as comments. Without such containers, returns 1 if there are
  /// at least `minWordCount` words, otherwise 0.
  private func commentCount(in containerIndex: Int, of page: PageBlocks, _ tree: DOMTree) -> Int {
    var counts: [ContainerClass: Int] = [:]
    let range = page.containers[containerIndex].blockRange
    var index = containerIndex + 1
    while index < page.containers.count,
      page.containers[index].blockRange.lowerBound < range.upperBound
    {
      let container = page.containers[index]
      index += 1
      guard page.wordCount(in: container.blockRange) >= Self.minItemWordCount,
        container.blockRange.contains(where: { isCommentPart[Int($0)] }),
        CommentArea.hasCommentName(container.node, in: tree)
      else { continue }
      counts[ContainerClass(of: container, in: tree), default: 0] += 1
    }
    if let maxCount = counts.values.max() { return maxCount }
    return page.wordCount(kept: isCommentPart, in: range) >= Self.minWordCount ? 1 : 0
  }

  /// The element name and the first class of a container.
  private struct ContainerClass: Hashable {
    private let element: ElementName
    private let firstClass: ArraySlice<UInt8>

    init(of container: PageBlocks.Container, in tree: DOMTree) {
      element = container.name
      let value = tree.attribute(.class, of: container.node) ?? 0..<0
      firstClass = tree.bytes[value].drop(while: \.isWhiteSpace).prefix { !$0.isWhiteSpace }
    }
  }
}

extension DOMTree {
  /// Detaches elements with comments, so that the content can be processed without them.
  mutating func detachComments(_ elements: [Int32]) {
    for element in elements where nodes[Int(element)].parent != nil { detach(element) }
  }

  /// Appends detached comments after the content, in an element that is returned; nil without
  /// comments.
  mutating func appendComments(_ elements: [Int32]) -> Int32? {
    guard !elements.isEmpty else { return nil }
    let around = makeElement(.section)
    nodes[Int(around)].contents = [.text, .block]
    for element in elements { append(element, to: around) }
    append(around, to: 0)
    return around
  }
}
