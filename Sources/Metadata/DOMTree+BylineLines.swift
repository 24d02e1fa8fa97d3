import DOM
import Document

extension DOMTree {
  /// A line of text in a byline, and the element around its first text.
  struct BylineLine {
    var text: String
    let element: Int32
  }

  /// Returns at most 12 lines below an element: texts between the boundaries of blocks, line
  /// breaks, and inline elements whose words would otherwise run into each other, such as a name
  /// and a profession that only a style sheet separates. Spaces are around text for screen
  /// readers. With `separatesTasks`, an element with a task such as "Words" begins a line, and a
  /// colon follows it.
  func bylineLines(
    below root: Int32, without excluded: ElementSet, separatesTasks: Bool = false
  ) -> [BylineLine] {
    let unseen: ElementSet = [.script, .style, .template, .noscript, .svg]
    var lines: [BylineLine] = []
    var lastBlock: Int32?
    var (isAfterBreak, isAfterSpace) = (false, true)
    var nodeAfterUnseenText: Int32?
    var next = nodeAfter(root, in: root)
    while let node = next, lines.count <= Self.maxBylineLines {
      let own = nodes[Int(node)]
      guard !excluded.contains(own.name), !unseen.contains(own.name) else {
        isAfterSpace = true
        next = nodeAfterSubtree(node, in: root)
        continue
      }
      defer { next = nodeAfter(node, in: root) }
      if own.name == .br { isAfterBreak = true }
      if node == nodeAfterUnseenText { isAfterSpace = true }
      if own.name != .characters, isScreenReaderText(node) {
        isAfterSpace = true
        nodeAfterUnseenText = nodeAfterSubtree(node, in: root)
      }
      guard own.name == .characters, let first = bytes[Int(own.start)..<Int(own.end)].first,
        let last = bytes[Int(own.start)..<Int(own.end)].last
      else { continue }
      var text = String(decoding: bytes[Int(own.start)..<Int(own.end)], as: UTF8.self).oneLine
      guard !text.isEmpty else {
        isAfterSpace = true
        continue
      }
      let block = blockAround(node, below: root)
      let isSpaced = isAfterSpace || first.isWhiteSpace
      let isTask = separatesTasks && isTaskBeforeName(node, text, below: root)
      if isTask { text += ":" }
      if let line = lines.last, block == lastBlock, !isAfterBreak, !isTask,
        isSpaced || !Self.runsTogether(line.text, text)
      {
        lines[lines.count - 1].text += (isSpaced ? " " : "") + text
      } else {
        lines.append(BylineLine(text: text, element: own.parent ?? 0))
      }
      (lastBlock, isAfterBreak, isAfterSpace) = (block, false, last.isWhiteSpace)
    }
    return Array(lines.prefix(Self.maxBylineLines))
  }

  /// Whether a text is alone in an element, and a task such as "Words" directly before a name.
  private func isTaskBeforeName(_ node: Int32, _ text: String, below root: Int32) -> Bool {
    let own = nodes[Int(node)]
    guard own.parent != root, own.previousSibling == nil, own.nextSibling == nil,
      MetadataVocabulary.tasks.contains(text.lowercased())
    else { return false }
    var next = nodeAfter(node, in: root)
    while let other = next, nodes[Int(other)].name != .characters || isBlank(other) {
      next = nodeAfter(other, in: root)
    }
    guard let following = next.map({ nodes[Int($0)] }) else { return false }
    let name = String(decoding: bytes[Int(following.start)..<Int(following.end)], as: UTF8.self)
    return name.first { !$0.isWhitespace }?.isUppercase == true
  }

  /// Returns the text below an element on one line, without the titles of icons.
  func lineText(below node: Int32) -> String {
    collapsedText(below: node, without: [.svg, .script, .style, .template])
  }

  private static let maxBylineLines = 12

  /// Whether a word ends and another one or a date begins without a space: "DoeReporter", "Doe18
  /// April", but not an initial letter with markup of its own or the number of a note.
  private static func runsTogether(_ line: String, _ text: String) -> Bool {
    guard let last = line.last, last.isLetter, let first = text.first,
      first.isUppercase || first.isDigit && text.utf8.count >= minDateBytes
    else { return false }
    return line.dropLast().last?.isLetter == true
  }

  private static let minDateBytes = 6

  /// Returns the nearest block around a node, at most the given element.
  private func blockAround(_ node: Int32, below root: Int32) -> Int32 {
    var block = nodes[Int(node)].parent ?? 0
    while block > root, !nodes[Int(block)].name.isBlock { block = nodes[Int(block)].parent ?? 0 }
    return block
  }
}
