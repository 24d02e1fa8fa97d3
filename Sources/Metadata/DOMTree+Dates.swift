import DOM
import Dates

extension DOMTree {
  /// Returns the bits of `MetadataVocabulary.dateNames` that the attributes of an element have.
  func dateHints(of node: Int32) -> UInt32 {
    let element = nodes[Int(node)]
    var hints: UInt32 = 0
    for index in Int(element.start)..<Int(element.end) {
      let attribute = attributes[index]
      switch attribute.name {
      case .class, .id, .itemprop, .property:
        hints |= bytes.withUnsafeBufferPointer {
          MetadataVocabulary.dateNames.match($0, in: Int(attribute.start)..<Int(attribute.end))
        }
      default: break
      }
    }
    return hints
  }

  /// Returns the dates of an element that is marked up as a date: from its machine-readable value,
  /// or otherwise from its text. Nil if there are none, or if a `time` element in it has them.
  func dates(of node: Int32, order: WrittenDate.DayMonthOrder) -> DateLine? {
    if let date = machineReadableDate(of: node) { return DateLine(date) }
    // A `time` descendant has the same date and is read later.
    guard isTimeElement(node) || !containsTimeElement(below: node) else { return nil }
    return DateLine(lineText(below: node), order: order, isMarkedUpAsDate: true)
      ?? DateLine(spacedText(below: node), order: order, isMarkedUpAsDate: true)
  }

  /// Returns the date in an attribute of an element, or nil.
  private func machineReadableDate(of node: Int32) -> WrittenDate? {
    for name in [AttributeName.datetime, .content, .title] {
      if let value = string(name, of: node)?.oneLine,
        // A tooltip may be a sentence, such as "Published on 5 May 2026".
        let date = WrittenDate(secondsSince1970: value) ?? WrittenDate.parse(value)
          ?? (name == .title ? nil : DateLine.soleDate(in: value)), !DateLine.isPlaceholder(date)
      {
        return date
      }
    }
    return nil
  }

  /// Returns the machine-readable date of the element around a text that is marked up as a date, in
  /// ISO 8601, as for `<time datetime="2026-05-04">2 days ago</time>`; nil if the element has no
  /// such date, or if the text is long, may contain a year or is a time such as "14:05".
  package func declaredDate(around textNode: Int32) -> String? {
    let text = bytes[Int(nodes[Int(textNode)].start)..<Int(nodes[Int(textNode)].end)]
    guard text.count <= Self.maxRelativeDateBytes, !text.contains(UInt8(ascii: ":")),
      !text.split(whereSeparator: { !$0.isDigit }).contains(where: { $0.count > 2 })
    else { return nil }
    var node = nodes[Int(textNode)].parent ?? 0
    for _ in 0..<Self.maxWrappersOfDate where node > 0 {
      let isDate =
        isTimeElement(node) || nodes[Int(node)].name == .abbr
        || text.contains(where: \.isDigit) && dateHints(of: node) & 5 != 0
      if isDate, let date = machineReadableDate(of: node) { return date.isoText }
      node = nodes[Int(node)].parent ?? 0
    }
    return nil
  }

  /// Returns the texts below a node, separated by spaces: the parts of a date may be elements that
  /// only a style sheet separates.
  private func spacedText(below root: Int32) -> String {
    var texts: [String] = []
    for node in descendants(of: root) {
      guard texts.count < Self.maxDateParts else { break }
      let own = nodes[Int(node)]
      if own.name == .characters, !isBlank(node) {
        texts.append(String(decoding: bytes[Int(own.start)..<Int(own.end)], as: UTF8.self).oneLine)
      }
    }
    return texts.count > 1 ? texts.joined(separator: " ") : ""
  }

  private static let maxDateParts = 8

  /// Returns the kind of date that the text directly before a `time` element announces.
  func labeledDateKind(of timeNode: Int32) -> DateLine.Kind {
    guard isTimeElement(timeNode), let before = siblingBefore(timeNode), !isTimeElement(before)
    else { return .unstated }
    let own = nodes[Int(before)]
    let text =
      own.name == .characters
      ? String(decoding: bytes[Int(own.start)..<Int(own.end)], as: UTF8.self)
      : collapsedText(below: before)
    return text.utf8.count <= 60 ? DateLine.Kind(text) ?? .unstated : .unstated
  }

  /// Whether a date belongs to something other than the page, such as an event or a review: because
  /// its element or one around it is named so, because it is one end of a period, or because of a
  /// short text before it, such as "When" in a `dt` or "Deadline:". The element with the title of
  /// the page is not such a text.
  func hasOtherDate(_ node: Int32, hints: UInt32, title: Int32? = nil) -> Bool {
    if isInReviews(node) { return true }
    guard hints & 3 == 0 else { return false }
    return hints & 8 != 0 || isEndOfPeriod(node) || followsOtherLabel(node, title: title)
  }

  /// Whether only a dash or a word such as "to" is between a `time` element and another one.
  private func isEndOfPeriod(_ timeNode: Int32) -> Bool {
    guard isTimeElement(timeNode) else { return false }
    func isEnd(_ between: Int32?, _ side: KeyPath<Node, Int32?>) -> Bool {
      guard let between, let other = nodes[Int(between)][keyPath: side], isTimeElement(other),
        dateHints(of: other) & 3 == 0
      else { return false }
      let text = collapsedText(of: between).lowercased()
      return ["-", "–", "—", "~", "〜"].contains(text)
        || MetadataVocabulary.untilTerms.contains(text)
    }
    return isEnd(nodes[Int(timeNode)].previousSibling, \.previousSibling)
      || isEnd(nodes[Int(timeNode)].nextSibling, \.nextSibling)
  }

  /// Whether the text before an element is a label of a date other than those of the page.
  private func followsOtherLabel(_ node: Int32, title: Int32?) -> Bool {
    var around = node
    for _ in 0..<Self.maxWrappersOfDate where around > 0 {
      guard let before = siblingBefore(around) else {
        around = nodes[Int(around)].parent ?? 0
        continue
      }
      guard before != title, nodes[Int(before)].name.headingLevel != 1, !isTimeElement(before)
      else { return false }
      let label = collapsedText(of: before)
      guard label.split(separator: " ").count <= Self.maxLabelWordCount,
        !label.contains(where: \.isDigit)
      else { return false }
      let kind = DateLine.Kind(label)
      return kind == nil || kind == .manuscript
    }
    return false
  }

  /// Returns the text of a text node or below an element, as one line.
  private func collapsedText(of node: Int32) -> String {
    let own = nodes[Int(node)]
    guard own.name == .characters else { return collapsedText(below: node) }
    return String(
      decoding: bytes[Int(own.start)..<min(Int(own.end), Int(own.start) + Self.maxLabelBytes)],
      as: UTF8.self
    ).oneLine
  }

  /// The maximum number of elements before which the label of a date is searched: the element of
  /// the date and its ancestors.
  private static let maxWrappersOfDate = 4
  private static let maxLabelWordCount = 3
  /// The maximum number of bytes of a text that are compared with labels.
  private static let maxLabelBytes = 400
  private static let maxRelativeDateBytes = 80

  /// Whether a `time` element is part of a sentence of the text, rather than of a line of metadata.
  func isInSentence(_ timeNode: Int32) -> Bool {
    guard isTimeElement(timeNode) else { return false }
    let block = blockAround(timeNode)
    guard block > 0, !nodes[Int(block)].contents.contains(.block) else { return false }
    let line = collapsedText(below: block, without: [.time])
    guard let last = line.last, ".!?。".contains(last) else { return false }
    return last == "。" || line.split(separator: " ").count > DateLine.maxOtherWordCount
  }

  /// Whether an element is a `time` element, or a custom element such as `relative-time` with a
  /// machine-readable date.
  func isTimeElement(_ node: Int32) -> Bool {
    let name = nodes[Int(node)].name
    return name == .time || name == .other && hasAttribute(.datetime, node)
  }

  /// Whether one of the first 32 descendants of a node is a `time` element.
  func containsTimeElement(below root: Int32) -> Bool {
    descendants(of: root).prefix(32).contains { isTimeElement($0) }
  }

  /// The date that all elements of the page named as dates have in common; nil if they have none or
  /// several. Elements beside the text, in lists, in comments, in the header of the page, in boxes
  /// such as one about the next text, and in links with a heading, which lead to other texts, do
  /// not count.
  func unanimousDate(order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    var only: WrittenDate?
    var next = nodeAfter(0, in: 0)
    while let node = next {
      let own = nodes[Int(node)]
      if own.name == .characters {
        next = nodeAfter(node, in: 0)
        continue
      }
      if own.name.isSecondary || own.name == .a && hasHeading(below: node) || isBanner(node)
        || CommentArea.hasCommentName(node, in: self, includesMicrodata: true)
        || isBoxBesideText(node)
      {
        next = nodeAfterSubtree(node, in: 0)
        continue
      }
      let hints = own.end > own.start ? dateHints(of: node) : 0
      if hints & 5 != 0 || isTimeElement(node) && !isInSentence(node),
        !hasOtherDate(node, hints: hints),
        let date = dates(of: node, order: order)?.publicationDate
      {
        if let only, (only.year, only.month, only.day) != (date.year, date.month, date.day) {
          return nil
        }
        only = only ?? date
      }
      next = nodeAfter(node, in: 0)
    }
    return only
  }

  /// Whether a node is the `header` of the page rather than of its text. Newspapers show the day of
  /// the visit in it.
  private func isBanner(_ node: Int32) -> Bool {
    nodes[Int(node)].name == .header && !hasAncestor(.article, node) && !hasAncestor(.main, node)
      && !hasHeading(below: node, minLevel: 1, maxNodes: Self.maxBannerNodes)
  }

  private static let maxBannerNodes = 400

  /// Whether an element is named as a box about other texts, events or the weather, and does not
  /// contain the heading of the page.
  private func isBoxBesideText(_ node: Int32) -> Bool {
    (nodes[Int(node)].name == .div || nodes[Int(node)].name == .section)
      && value(.class, of: node, matches: Self.boxNames) && !hasTopLevelHeading(below: node)
  }

  private static let boxNames = WordMatcher(
    """
     next-post, next-article, post-next, prev-post, previous-post, post-previous, related,\
     upcoming, weather, teaser
    """)

  /// Whether one of the first descendants of a node is a heading of at least the given level
  /// number.
  private func hasHeading(below root: Int32, minLevel: UInt8 = 2, maxNodes: Int = 16) -> Bool {
    descendants(of: root).prefix(maxNodes).contains {
      nodes[Int($0)].name.headingLevel >= minLevel
    }
  }
}

extension ElementName {
  /// Whether the element is secondary to the text of the page.
  fileprivate var isSecondary: Bool {
    switch self {
    case .nav, .aside, .footer, .form, .select, .li, .script, .style, .template, .figure: true
    default: false
    }
  }
}
