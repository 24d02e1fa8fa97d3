import DOM

extension DocumentBuilder {
  /// Returns whether a link is only a permalink: a symbol beside a heading or term, or at the end
  /// of the paragraph or other element that it leads to, or an icon at its end or before the
  /// heading at its start.
  func isPermalink(_ node: Int32) -> Bool {
    let isNamed =
      tree.value(.class, of: node, contains: "headerlink")
      || tree.value(.class, of: node, contains: "permalink")
      || tree.value(.class, of: node, contains: "anchor")
    let isInHeading: Bool
    switch inherited.leafKind {
    case .heading, .term: isInHeading = true
    default: isInHeading = false
    }
    let fragment = fragment(ofLinkToPage: node)
    let targetEnding = tree.element(fragment, around: node, linkAt: .end)
    let targetAround =
      targetEnding
      ?? tree.element(fragment, around: node, linkAt: isInHeading ? .anywhere : .beforeHeading)
    guard isNamed || isInHeading || targetAround != nil else { return false }
    switch tree.cleanedText(below: node, maxLength: 16) {
    case "¶", "#", "§", "🔗", "∞", "&para;":
      return isNamed || isInHeading || targetEnding != nil
    case "":
      guard !fragment.isEmpty else {
        return isNamed && !tree.nodes[Int(node)].contents.contains(.image)
      }
      let element = targetAround ?? tree.nodes[Int(node)].parent
      let isBesideText = element.map { tree.nodes[Int($0)].contents.contains(.text) } ?? false
      return (isNamed || isBesideText) && !tree.containsImageFile(node)
    default: return false
    }
  }

  /// Returns the fragment of a link to the page itself; empty for other links.
  private func fragment(ofLinkToPage node: Int32) -> ArraySlice<UInt8> {
    guard let range = tree.attribute(.href, of: node),
      let hash = tree.bytes[range].firstIndex(of: UInt8(ascii: "#")),
      hash == range.lowerBound || head.isReferenceToPage(tree.bytes[range.lowerBound..<hash])
    else { return [] }
    return tree.bytes[hash + 1..<range.upperBound]
  }
}

extension DOMTree {
  /// The position of a link in the element that it leads to; `beforeHeading` means at its start
  /// and directly before a heading, `end` after other content.
  fileprivate enum LinkPosition { case beforeHeading, end, anywhere }

  /// Returns the element with an id if it is one of the nearest elements around a link, and the
  /// link has the given position in it.
  fileprivate func element(
    _ id: ArraySlice<UInt8>, around link: Int32, linkAt position: LinkPosition
  ) -> Int32? {
    guard !id.isEmpty else { return nil }
    var (node, followsContent) = (link, false)
    for _ in 0..<Self.maxTargetLevels {
      guard position != .end || siblingAfter(node) == nil else { return nil }
      followsContent = followsContent || siblingBefore(node) != nil
      node = nodes[Int(node)].parent ?? 0
      guard node > 0 else { return nil }
      if let range = attribute(.id, of: node), bytes[range] == id {
        switch position {
        case .beforeHeading: return !followsContent && precedesHeading(link, in: node) ? node : nil
        case .end: return followsContent ? node : nil
        case .anywhere: return node
        }
      }
    }
    return nil
  }

  /// Returns whether a heading follows a link within an element, with no text between them.
  private func precedesHeading(_ link: Int32, in element: Int32) -> Bool {
    var next = nodeAfterSubtree(link, in: element)
    for _ in 0..<Self.maxNodesBeforeHeading {
      guard let node = next else { return false }
      if nodes[Int(node)].name.headingLevel > 0 { return true }
      if nodes[Int(node)].name == .characters, !isBlank(node) { return false }
      next = nodeAfter(node, in: element)
    }
    return false
  }

  private static let maxNodesBeforeHeading = 16

  /// The maximum number of elements around a permalink up to its target.
  private static let maxTargetLevels = 3
}
