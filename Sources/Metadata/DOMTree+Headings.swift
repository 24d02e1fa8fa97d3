package import DOM
import Document

extension DOMTree {
  /// Returns the text of a heading without buttons, dates and text for screen readers. If it has
  /// superscripts and other text, the text without the superscripts follows.
  package func headingTexts(below heading: Int32) -> [String] {
    let shown = shownText(below: heading, withSuperscripts: true)
    let whole =
      shown.isEmpty
      ? collapsedText(below: heading, without: MetaElements.nonTitleElements) : shown
    guard !superscripts(below: heading).isEmpty else { return [whole] }
    let rest = shownText(below: heading, withSuperscripts: false)
    return rest.isEmpty ? [whole] : [whole, rest]
  }

  /// Returns the text of a heading after a kicker: a few words, shorter than the rest, that are an
  /// element of its own at the start of the heading, such as the name of a subject. Nil if there is
  /// none.
  package func headingText(belowKickerOf heading: Int32) -> String? {
    var parts = [heading]
    for _ in 0..<Self.maxNestedParts where parts.count == 1 {
      let part = nodes[Int(parts[0])]
      guard part.name != .characters else { break }
      parts = []
      var next = part.firstChild
      while let child = next, parts.count < 2 {
        if !isBlank(child) { parts.append(child) }
        next = nodes[Int(child)].nextSibling
      }
    }
    guard parts.count > 1, nodes[Int(parts[0])].name != .characters else { return nil }
    let kicker = collapsedText(below: parts[0])
    let rest = shownText(below: heading, withSuperscripts: true, without: parts[0])
    let isKicker = 1...Self.maxKickerWordCount ~= kicker.split(separator: " ").count
    return isKicker && kicker.utf8.count < rest.utf8.count ? rest : nil
  }

  /// Returns the text of a heading on one line, without the parts that do not belong to a title.
  private func shownText(
    below heading: Int32, withSuperscripts: Bool, without kicker: Int32? = nil
  ) -> String {
    var text: [UInt8] = []
    var next = nodeAfter(heading, in: heading)
    while let node = next, text.count < 4096 {
      let own = nodes[Int(node)]
      guard own.name != .characters else {
        text += bytes[Int(own.start)..<Int(own.end)]
        next = nodeAfter(node, in: heading)
        continue
      }
      let isSeparate =
        MetaElements.nonTitleElements.contains(own.name) || isScreenReaderText(node)
      if isSeparate || own.name.isBlock || own.name == .br { text.append(0x20) }
      let isLeftOut = isSeparate || own.name == .sup && !withSuperscripts || node == kicker
      next = isLeftOut ? nodeAfterSubtree(node, in: heading) : nodeAfter(node, in: heading)
    }
    return String(decoding: text, as: UTF8.self).oneLine
  }

  /// Whether all superscripts of a heading are marks of notes: symbols such as an asterisk, numbers
  /// or letters in brackets, or those in links within the page.
  func hasOnlyNoteMarks(_ heading: Int32) -> Bool {
    superscripts(below: heading).allSatisfy { superscript in
      let mark = collapsedText(below: superscript)
      guard (1...Self.maxMarkBytes).contains(mark.utf8.count) else { return false }
      if mark.allSatisfy({ "*†‡§¶".contains($0) }) { return true }
      if mark.count > 2, let first = mark.first, let last = mark.last,
        first == "[" && last == "]" || first == "(" && last == ")"
      {
        return true
      }
      return linksWithinPage(superscript, in: heading)
    }
  }

  /// Maximum number of words before a headline that name its subject.
  package static let maxKickerWordCount = 4
  /// Maximum number of elements around the parts of a heading.
  private static let maxNestedParts = 4

  private func superscripts(below heading: Int32) -> [Int32] {
    Array(
      descendants(of: heading).lazy.filter { nodes[Int($0)].name == .sup }
        .prefix(Self.maxSuperscripts))
  }

  /// Whether an element is in a link to a part of the page, or begins with one.
  private func linksWithinPage(_ element: Int32, in heading: Int32) -> Bool {
    func isLink(_ node: Int32) -> Bool {
      nodes[Int(node)].name == .a && string(.href, of: node)?.oneLine.hasPrefix("#") == true
    }
    var above = nodes[Int(element)].parent ?? 0
    while above > 0, above != heading {
      if isLink(above) { return true }
      above = nodes[Int(above)].parent ?? 0
    }
    return nodeAfter(element, in: element).map(isLink) ?? false
  }

  private static let maxSuperscripts = 8
  private static let maxMarkBytes = 6
}
