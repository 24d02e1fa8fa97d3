import DOM
import Metadata

// Generators of manuals derive the id of a section from its heading: the section "Comments" of the
// manual of a language describes comments, and the section "Menu" of a toolkit describes menus.

extension PageBlocks {
  /// Returns the containers of the sections of a text whose id repeats their heading: elements
  /// without another name that consist of sentences and are followed by another section of the same
  /// element or are part of such a section. A section that contains comments is not one of a text.
  func findTextSections(in tree: DOMTree) -> Set<Int> {
    var found: Set<Int> = []
    for (index, container) in containers.enumerated().dropFirst()
    where container.name == .section || container.name == .div {
      guard hasTopic(Self.misleadingTopics, container), !container.blockRange.isEmpty,
        isText(container), isNamedAfterHeading(container, tree), !containsComments(index, tree),
        isFollowedBySection(container) || found.contains(Int(container.parentIndex))
      else { continue }
      found.insert(index)
    }
    return found
  }

  /// Keeps sections of the text with a misleading id between kept blocks of the same element.
  func keepTextSections(_ isKept: inout [Bool]) {
    for index in textSections {
      let range = containers[index].blockRange
      let around = containers[Int(containers[index].parentIndex)].blockRange
      guard (around.lowerBound..<range.lowerBound).contains(where: { isKept[Int($0)] }),
        (range.upperBound..<around.upperBound).contains(where: { isKept[Int($0)] })
      else { continue }
      for block in range { isKept[Int(block)] = true }
    }
  }

  private static let misleadingTopics = BlockTopic.bits([.menuWord, .footerWord, .commentWord])

  /// Whether a container begins with a heading and consists mostly of sentences, without forms, and
  /// is not part of an item such as a comment. Several sections of a text are items, too, but they
  /// begin with headings.
  private func isText(_ container: Container) -> Bool {
    let first = blocks[Int(container.blockRange.lowerBound)]
    let sums = sum(container.blockRange)
    let unit = container.unitIndex.value.map { containers[$0] }
    let isInItem =
      unit.map { blocks[Int($0.blockRange.lowerBound)].headingLevel == 0 } ?? false
    return first.headingLevel > 1 && !isInItem && sums.sentenceCount > 0
      && sums.proseWordCount * 2 >= sums.wordCount && sums.linkWordCount * 10 <= sums.wordCount
      && container.blockRange.allSatisfy {
        distance(to: .form, from: blocks[Int($0)]) == nil
      }
  }

  /// Whether an element within a container is named as comments without a heading of that name.
  private func containsComments(_ index: Int, _ tree: DOMTree) -> Bool {
    let commentTopic = BlockTopic.bits([.commentWord])
    let parts = containers[(index + 1)...].prefix { $0.depth > containers[index].depth }
    return parts.contains { part in
      hasTopic(commentTopic, part)
        && (part.blockRange.isEmpty || !isNamedAfterHeading(part, tree))
    }
  }

  /// Whether a section with a heading of the same level and with sentences follows a container in
  /// the element around it.
  private func isFollowedBySection(_ container: Container) -> Bool {
    guard container.parentIndex >= 0 else { return false }
    let level = blocks[Int(container.blockRange.lowerBound)].headingLevel
    let end = containers[Int(container.parentIndex)].blockRange.upperBound
    let rest = container.blockRange.upperBound..<end
    guard let heading = rest.first(where: { blocks[Int($0)].headingLevel == level }) else {
      return false
    }
    return sum(heading..<end).proseWordCount >= Self.minFollowingWordCount
  }

  private static let minFollowingWordCount = 12

  /// Whether the id of a container has the words of its heading, without the number of the section,
  /// and its classes only state that it is a section.
  private func isNamedAfterHeading(_ container: Container, _ tree: DOMTree) -> Bool {
    if let classes = tree.attribute(.class, of: container.node) {
      let words = tree.bytes[classes].split(whereSeparator: \.isWhiteSpace)
      guard words.allSatisfy({ $0.starts(with: "sect".utf8) || $0.starts(with: "level".utf8) })
      else { return false }
    }
    guard let id = tree.string(.id, of: container.node) else { return false }
    let heading = PageTitle.comparisonKey(
      text(of: Int(container.blockRange.lowerBound), in: tree)
    ).split(separator: " ").drop { $0.allSatisfy(\.isNumber) }
    return PageTitle.comparisonKey(id).split(separator: " ").elementsEqual(heading)
  }
}
