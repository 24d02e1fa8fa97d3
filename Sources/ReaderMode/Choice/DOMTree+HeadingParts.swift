import DOM

extension DOMTree {
  /// The page with a space between the parts of a heading that only a style sheet separates, such
  /// as a `span` with a topic and another one with the title. Parts of a word that the page has
  /// elsewhere, such as its title, are not separated.
  var withSeparateHeadingParts: DOMTree {
    let parts = nodes.indices.filter { nodes[$0].name.headingLevel > 0 }.flatMap {
      partsAfterWords(in: Int32($0))
    }
    guard !parts.isEmpty else { return self }
    let words = wordsOfTexts(among: Set(parts.map(\.joinedWord)))
    var tree = self
    for part in parts where !words.contains(part.joinedWord) { tree.prependSpace(to: part.text) }
    return tree
  }

  /// A part of a heading that runs into the part before it.
  private struct HeadingPart {
    /// The index of the first text node of the part.
    var text: Int32
    /// The last word of the part before it with the first word of the part.
    var joinedWord: ArraySlice<UInt8>
  }

  /// Returns the given words that occur in the texts of the page.
  private func wordsOfTexts(among words: Set<ArraySlice<UInt8>>) -> Set<ArraySlice<UInt8>> {
    let maxLength = words.map(\.count).max() ?? 0
    var found: Set<ArraySlice<UInt8>> = []
    for node in nodes where node.name == .characters {
      var start = Int(node.start)
      let end = Int(node.end)
      while start < end {
        let word = bytes[start..<end].prefix { $0.isLetter || $0 >= 0x80 }
        if !word.isEmpty, word.count <= maxLength, words.contains(word) { found.insert(word) }
        start = word.endIndex + 1
      }
    }
    return found
  }

  /// Returns the parts of a heading that run into the part before them.
  private func partsAfterWords(in heading: Int32) -> [HeadingPart] {
    var around = heading
    var parts: [Int32] = []
    for _ in 0..<Self.maxWrappers {
      parts = children(of: around).filter { !isBlank($0) }
      guard parts.count == 1, nodes[Int(parts[0])].name != .characters else { break }
      around = parts[0]
    }
    let isTextWithSubtitle =
      parts.count == 2 && nodes[Int(parts[0])].name == .characters
      && nodes[Int(parts[1])].name == .small
    guard parts.count > 1,
      isTextWithSubtitle
        || parts.allSatisfy({ Self.partElements.contains(nodes[Int($0)].name) })
    else { return [] }
    return zip(parts, parts.dropFirst()).compactMap { first, second in
      let own = nodes[Int(first)]
      let before =
        own.name == .characters
        ? String(decoding: bytes[Int(own.start)..<Int(own.end)], as: UTF8.self).oneLine
        : collapsedText(below: first)
      let after = collapsedText(below: second)
      guard nodes[Int(second)].previousSibling == first, Self.runsTogether(before, after),
        let text = descendants(of: second).first(where: {
          nodes[Int($0)].name == .characters && !isBlank($0)
        })
      else { return nil }
      let end = before.split(separator: " ").last ?? ""
      let start = after.prefix(while: \.isLetter)
      return HeadingPart(text: text, joinedWord: Array("\(end)\(start)".utf8)[...])
    }
  }

  /// Whether a part of several words follows another part without a space, or the other way round.
  /// Two single words may be one name, such as "YouTube".
  private static func runsTogether(_ first: String, _ second: String) -> Bool {
    guard first.utf8.count >= minPartBytes, let last = first.last, let initial = second.first
    else { return false }
    return (last.isLowercase || last == ":") && initial.isUppercase
      && (first.contains(" ") || second.contains(" "))
  }

  private mutating func prependSpace(to text: Int32) {
    let (start, own) = (bytes.count, nodes[Int(text)])
    let copy = Array(bytes[Int(own.start)..<Int(own.end)])
    bytes.append(0x20)
    bytes.append(contentsOf: copy)
    nodes[Int(text)].start = UInt32(start)
    nodes[Int(text)].end = UInt32(bytes.count)
  }

  private static let partElements: ElementSet = [
    .span, .a, .b, .strong, .em, .i, .small, .font, .other,
  ]
  /// The maximum number of elements around the parts.
  private static let maxWrappers = 4
  private static let minPartBytes = 3
}
