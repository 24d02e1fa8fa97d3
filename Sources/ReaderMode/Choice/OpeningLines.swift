import DOM
import Metadata

// Pages repeat the author and the date between title and text, although reader view shows them in
// its own line.

extension DOMTree {
  /// A line of text: text nodes without a block boundary between them.
  private struct OpeningLine {
    var nodes: [Int32] = []
    /// The block that contains the line.
    var blockNode: Int32
    /// The text, with machine-readable dates in place of texts such as "2 days ago".
    var text = ""
    /// The text beside those dates.
    var textBesideDates = ""

    mutating func append(_ node: Int32, _ newText: String, declaredDate: String?) {
      nodes.append(node)
      text += (text.isEmpty ? "" : " ") + (declaredDate ?? newText)
      if declaredDate == nil { textBesideDates += (textBesideDates.isEmpty ? "" : " ") + newText }
    }
  }

  /// Removes the lines near the start that repeat the byline of reader view, and those above the
  /// text that repeat the title.
  mutating func removeRepeatedOpeningLines(_ byline: KnownByline?, title: String?) {
    let lines = openingLines
    let key = title.map { PageTitle.comparisonKey($0) }
    var isRepeated = [Bool](repeating: false, count: lines.count)
    // Lines after a sentence are part of the text.
    var isAbove = true
    for (index, line) in lines.enumerated() {
      let level = nodes[Int(line.blockNode)].name.headingLevel
      if isAbove, let key, !key.isEmpty, repeatsTitle(line, key) {
        isRepeated[index] = true
      } else if let byline, level != 1, repeats(byline, line, isHeading: level > 0) {
        isRepeated[index] = true
      } else if line.text.utf8.count > Self.maxLabelBytes || ".!?:".contains(line.text.last ?? ".")
      {
        isAbove = false
      }
    }
    for index in lines.indices.dropLast().reversed()
    where byline != nil && isRepeated[index + 1] && !isRepeated[index] {
      isRepeated[index] = KnownByline.isBylineIntroduction(lines[index].text)
    }
    // A label that stays, such as "Release date", keeps its value. A line such as "By Jane Doe" has
    // a label of its own.
    for index in lines.indices.dropFirst() where isRepeated[index] && !isRepeated[index - 1] {
      let firstWord = lines[index].text.prefix { $0 != " " }
      guard !KnownByline.isBylineIntroduction(String(firstWord)) else { continue }
      let label = lines[index - 1].text
      let isLabel = label.utf8.count <= Self.maxValueLabelBytes && ":：".contains(label.last ?? " ")
      isRepeated[index] = !isLabel && !hasNearAncestor(.dd, lines[index].nodes[0])
    }
    // Keeps the lines if they are the only text.
    guard isRepeated.contains(true), isRepeated.contains(false) else { return }
    for (line, isRepeated) in zip(lines, isRepeated) where isRepeated { remove(line) }
  }

  /// Whether a line repeats the byline. Other words beside a date that the text does not state are
  /// content, as in "9 am Doors open".
  private func repeats(_ byline: KnownByline, _ line: OpeningLine, isHeading: Bool) -> Bool {
    let rest = line.textBesideDates
    return byline.isRepeated(by: line.text, isHeading: isHeading)
      && (rest == line.text || !rest.contains { $0.isLetter || $0.isNumber }
        || KnownByline.isBylineIntroduction(rest) || byline.isRepeated(by: rest))
  }

  /// Whether a line is the title with a comparison key: the text of a heading, or a long line.
  private func repeatsTitle(_ line: OpeningLine, _ key: String) -> Bool {
    let isHeading = nodes[Int(line.blockNode)].name.headingLevel > 0
    if PageTitle.comparisonKey(line.text) == key {
      return isHeading || line.text.utf8.count >= Self.minTitleBytes
    }
    return isHeading && self.isHeading(line.blockNode, withKey: key)
  }

  /// The lines up to the second paragraph, because the first may be a summary.
  private var openingLines: [OpeningLine] {
    var lines: [OpeningLine] = []
    var paragraphs = 0
    var next = nodeAfter(0, in: 0)
    while let node = next, lines.count < Self.maxLines {
      let own = nodes[Int(node)]
      switch own.name {
      case _ where cannotContainOpeningLines(node, elementName: own.name):
        next = nodeAfterSubtree(node, in: 0)
        continue
      case .characters where !isBlank(node):
        let block = blockAround(node)
        if let last = lines.last, last.blockNode == block, areOnOneLine(last.nodes.last ?? 0, node)
        {
          add(node, to: &lines[lines.count - 1])
        } else {
          if let last = lines.last, last.text.utf8.count > Self.maxLineBytes {
            paragraphs += 1
            if paragraphs == 2 { return lines }
          }
          lines.append(OpeningLine(blockNode: block))
          add(node, to: &lines[lines.count - 1])
        }
      default: break
      }
      next = nodeAfter(node, in: 0)
    }
    return lines
  }

  /// Adds a text to a line. A heading is not only a date.
  private func add(_ node: Int32, to line: inout OpeningLine) {
    let own = nodes[Int(node)]
    let text = String(
      decoding: bytes[Int(own.start)..<min(Int(own.end), Int(own.start) + 400)], as: UTF8.self
    ).oneLine
    let isInHeading = nodes[Int(line.blockNode)].name.headingLevel > 0
    line.append(node, text, declaredDate: isInHeading ? nil : declaredDate(around: node))
  }

  /// Whether no block or line break lies between two texts of the same block.
  private func areOnOneLine(_ first: Int32, _ second: Int32) -> Bool {
    var next = nodeAfter(first, in: 0)
    while let node = next, node != second {
      if nodes[Int(node)].name.isBlock || nodes[Int(node)].name == .br { return false }
      next = nodeAfter(node, in: 0)
    }
    return true
  }

  /// Whether an element cannot contain lines between title and text.
  private func cannotContainOpeningLines(_ node: Int32, elementName name: ElementName) -> Bool {
    switch name {
    case .table, .figure, .blockquote, .pre, .form: true
    case .ul, .ol: collapsedText(below: node).utf8.count > Self.maxListBytes
    default: name.neverShowsText
    }
  }

  /// Removes a line and the elements that contain nothing else.
  private mutating func remove(_ line: OpeningLine) {
    for text in line.nodes {
      var node = text
      while let ancestor = nodes[Int(node)].parent, ancestor > 0,
        isOnlyContent(node, of: ancestor)
      {
        node = ancestor
      }
      detach(node)
    }
  }

  /// Whether an element has no visible content besides one of its descendants.
  private func isOnlyContent(_ descendant: Int32, of element: Int32) -> Bool {
    var next = nodeAfter(element, in: element)
    while let node = next {
      if node == descendant {
        next = nodeAfterSubtree(node, in: element)
        continue
      }
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node): return false
      case .hr: return false
      case let name: if name.isShown { return false }
      }
      next = nodeAfter(node, in: element)
    }
    return true
  }

  private static let maxLines = 16
  /// The minimum length in bytes of a line outside headings that is recognized as the title.
  private static let minTitleBytes = 16
  private static let maxLabelBytes = 60
  /// The maximum length in bytes of a label on a line of its own above a value.
  private static let maxValueLabelBytes = 30
  /// The length in bytes beyond which a line is a paragraph.
  private static let maxLineBytes = 160
  private static let maxListBytes = 300
}

extension DOMTree {
  /// Removes headings at the end of a text, which have no content. Consecutive headings of the same
  /// level are kept, because they form a list.
  mutating func removeLastHeadings() {
    var headings: [Int32] = []
    var hasText = false
    // A heading may have many texts, so it is measured once.
    var lastMeasured: (heading: Int32, isShort: Bool)?
    var next = nodeAfter(0, in: 0)
    while let node = next {
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node):
        let heading = heading(around: node)
        if let heading, heading != lastMeasured?.heading {
          let isShort = collapsedText(below: heading).utf8.count <= Self.maxHeadingBytes
          lastMeasured = (heading, isShort)
        }
        if let heading, nodes[Int(heading)].name.headingLevel > 1, lastMeasured?.isShort == true {
          if headings.last != heading { headings.append(heading) }
        } else {
          (headings, hasText) = ([], true)
        }
      case let name:
        if name.isShown || name == .input {
          headings = []
        } else if name.neverShowsText {
          next = nodeAfterSubtree(node, in: 0)
          continue
        }
      }
      next = nodeAfter(node, in: 0)
    }
    let levels = headings.map { nodes[Int($0)].name.headingLevel }
    guard hasText, !zip(levels, levels.dropFirst()).contains(where: ==) else { return }
    for heading in headings { detach(heading) }
  }

  /// Returns the heading around a text; nil if there is none.
  func heading(around node: Int32) -> Int32? {
    var ancestor = node
    while ancestor > 0, nodes[Int(ancestor)].name.headingLevel == 0 {
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return ancestor > 0 && nodes[Int(node)].name == .characters ? ancestor : nil
  }

  /// The maximum length in bytes of a heading that is removed; longer ones carry information by
  /// themselves.
  private static let maxHeadingBytes = 100
}

extension ElementName {
  /// Whether the element is visible although it has no text.
  fileprivate var isShown: Bool {
    switch self {
    case .img, .svg, .video, .audio, .iframe, .picture, .object, .embed, .math, .canvas: true
    default: false
    }
  }
}
