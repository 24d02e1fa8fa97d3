import DOM

extension DocumentBuilder {
  /// Returns whether the caption of the figure around an image repeats its alternative text.
  func isRepeated(_ textBytes: [UInt8], inCaptionOf node: Int32) -> Bool {
    guard let caption = tree.caption(of: node) else { return false }
    let text = Array(tree.collapsedText(below: caption).utf8)
    guard text.count <= Self.maxCaptionBytes else { return false }
    let (own, others) = (Self.terms(of: textBytes), Self.terms(of: text))
    guard !own.isEmpty, !others.isEmpty else { return false }
    let shared = own.intersection(others).count
    return shared == own.count || 10 * shared >= 4 * (own.count + others.count)
  }

  private static let maxCaptionBytes = 2000

  /// Returns the words of a text in lower case, without fillers such as "photo of" unless there are
  /// no other words.
  private static func terms(of text: [UInt8]) -> Set<[UInt8]> {
    let words = text.split { !$0.isLetter && !$0.isDigit && $0 < 0x80 }.map {
      $0.map(\.lowercased)
    }
    let keptWords = Set(words).subtracting(fillerWords)
    return keptWords.isEmpty ? Set(words) : keptWords
  }

  private static let fillerWords: Set<[UInt8]> = Set(
    [
      "a", "an", "the", "of", "in", "on", "at", "and", "photo", "photograph", "picture", "image",
      "illustration", "figure", "fig",
    ].map { Array($0.utf8) })
}

extension DOMTree {
  /// Returns the caption of the nearest ancestor that is a figure, or whose class indicates one;
  /// nil if there is none.
  fileprivate func caption(of node: Int32) -> Int32? {
    var ancestor = nodes[Int(node)].parent ?? 0
    for _ in 0..<Self.maxCaptionAncestors where ancestor > 0 {
      let isFigure = nodes[Int(ancestor)].name == .figure
      if isFigure || isCaptioned(ancestor) {
        return caption(in: ancestor, isFigure: isFigure)
      }
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return nil
  }

  fileprivate static let maxCaptionAncestors = 6

  fileprivate static let maxCaptionNodes = 64

  fileprivate func isCaptioned(_ node: Int32) -> Bool {
    value(.class, of: node, contains: "caption")
      || value(.class, of: node, contains: "thumb")
  }

  fileprivate func caption(in root: Int32, isFigure: Bool) -> Int32? {
    var next = nodeAfter(root, in: root)
    for _ in 0..<Self.maxCaptionNodes {
      guard let node = next else { break }
      let name = nodes[Int(node)].name
      if name == .figcaption
        || name != .characters && value(.class, of: node, contains: "caption")
          && nodes[Int(node)].contents.isDisjoint(with: .image)
      {
        return node
      }
      next = nodeAfter(node, in: root)
    }
    return nil
  }
}
