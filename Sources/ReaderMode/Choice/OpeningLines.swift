import DOM
import Metadata

// Between title and text pages say who wrote it and when; the reader's own line says that already.

extension DOMTree {
  /// A line of text: nodes of text that no border of a block stands between.
  private struct OpeningLine {
    var nodes: [Int32]
    /// The block around it.
    var block: Int32
    var text: String
  }

  /// Takes out the lines before the first paragraph that say what the reader's line says, and the heading
  /// that says what the title says.
  /// - Parameters:
  ///   - known: What the reader's line says; nil when there is none.
  ///   - title: What stands above the text; nil when that is nothing.
  mutating func removeFromOpening(_ known: KnownByline?, title: String?) {
    let lines = openingLines
    let key = title.map { PageTitle.key($0) }
    var isLeft = [Bool](repeating: false, count: lines.count)
    // What stands below a sentence is a part of the text.
    var isAbove = true
    for (index, line) in lines.enumerated() {
      let level = nodes[Int(line.block)].name.headingLevel
      if isAbove, let key, !key.isEmpty, PageTitle.key(line.text) == key,
        level > 0 || line.text.utf8.count >= Self.titleBytes
      {
        isLeft[index] = true
      } else if let known, level != 1, known.isSaid(by: line.text, isHeading: level > 0) {
        isLeft[index] = true
      } else if line.text.utf8.count > Self.labelBytes || ".!?:".contains(line.text.last ?? ".") {
        isAbove = false
      }
    }
    for index in lines.indices.dropLast().reversed()
    where known != nil && isLeft[index + 1] && !isLeft[index] {
      isLeft[index] = KnownByline.isLead(lines[index].text)
    }
    // A page that has nothing else has said it.
    guard isLeft.contains(true), isLeft.contains(false) else { return }
    for (line, isLeft) in zip(lines, isLeft) where isLeft { remove(line) }
  }

  /// The lines up to the second paragraph: the first one may sum up what follows.
  private var openingLines: [OpeningLine] {
    var lines: [OpeningLine] = []
    var paragraphs = 0
    var node = next(0, in: 0)
    while node >= 0, lines.count < Self.mostLines {
      let own = nodes[Int(node)]
      switch own.name {
      case _ where stands(node, asideFromLines: own.name):
        node = following(node, in: 0)
        continue
      case .characters where !isBlank(node):
        var block = own.parent
        while block > 0, !nodes[Int(block)].name.isBlock { block = nodes[Int(block)].parent }
        if let last = lines.last, last.block == block, isOneLine(last.nodes.last ?? 0, node) {
          lines[lines.count - 1].nodes.append(node)
          lines[lines.count - 1].text += " " + text(of: node)
        } else {
          if let last = lines.last, last.text.utf8.count > Self.paragraphBytes {
            paragraphs += 1
            if paragraphs == 2 { return lines }
          }
          lines.append(OpeningLine(nodes: [node], block: block, text: text(of: node)))
        }
      default: break
      }
      node = next(node, in: 0)
    }
    return lines
  }

  private func text(of node: Int32) -> String {
    let own = nodes[Int(node)]
    return String(
      decoding: bytes[Int(own.start)..<min(Int(own.end), Int(own.start) + 400)], as: UTF8.self
    ).oneLine
  }

  /// Whether no block begins between two texts that stand in one.
  private func isOneLine(_ first: Int32, _ second: Int32) -> Bool {
    var node = next(first, in: 0)
    while node >= 0, node != second {
      if nodes[Int(node)].name.isBlock || nodes[Int(node)].name == .br { return false }
      node = next(node, in: 0)
    }
    return true
  }

  /// Whether no line of an element is one between title and text.
  private func stands(_ node: Int32, asideFromLines name: ElementName) -> Bool {
    switch name {
    case .table, .figure, .blockquote, .pre, .form: true
    case .ul, .ol: line(below: node).utf8.count > Self.mostListBytes
    default: name.isNeverText
    }
  }

  /// Takes out a line, and the elements that have nothing else.
  private mutating func remove(_ line: OpeningLine) {
    for text in line.nodes {
      var node = text
      while case let above = nodes[Int(node)].parent, above > 0, isAll(node, of: above) {
        node = above
      }
      detach(node)
    }
  }

  /// Whether an element has nothing but one of those in it.
  private func isAll(_ child: Int32, of element: Int32) -> Bool {
    var node = next(element, in: element)
    while node >= 0 {
      if node == child {
        node = following(node, in: element)
        continue
      }
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node): return false
      case .hr: return false
      case let name: if name.isShown { return false }
      }
      node = next(node, in: element)
    }
    return true
  }

  private static let mostLines = 16
  /// From so many bytes on a line that says the title is meant to be it.
  private static let titleBytes = 16
  /// What is longer is no label.
  private static let labelBytes = 60
  /// More bytes than a line has that says who wrote a text.
  private static let paragraphBytes = 160
  private static let mostListBytes = 300
}

extension DOMTree {
  /// Takes out the headings that a text ends with: nothing stands below them. Several of one level in a row are
  /// a list.
  mutating func removeLastHeadings() {
    var headings: [Int32] = []
    var hasText = false
    var node = next(0, in: 0)
    while node >= 0 {
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node):
        if let heading = heading(around: node), nodes[Int(heading)].name.headingLevel > 1,
          line(below: heading).utf8.count <= Self.mostHeadingBytes
        {
          if headings.last != heading { headings.append(heading) }
        } else {
          (headings, hasText) = ([], true)
        }
      case let name:
        if name.isShown || name == .input {
          headings = []
        } else if name.isNeverText {
          node = following(node, in: 0)
          continue
        }
      }
      node = next(node, in: 0)
    }
    let levels = headings.map { nodes[Int($0)].name.headingLevel }
    guard hasText, !zip(levels, levels.dropFirst()).contains(where: ==) else { return }
    for heading in headings { detach(heading) }
  }

  private func heading(around node: Int32) -> Int32? {
    var above = node
    while above > 0, nodes[Int(above)].name.headingLevel == 0 { above = nodes[Int(above)].parent }
    return above > 0 && nodes[Int(node)].name == .characters ? above : nil
  }

  /// What is longer says something by itself.
  private static let mostHeadingBytes = 100
}

extension ElementName {
  /// Elements without text that are seen.
  fileprivate var isShown: Bool {
    switch self {
    case .img, .svg, .video, .audio, .iframe, .picture, .object, .embed, .math, .canvas: true
    default: false
    }
  }
}
