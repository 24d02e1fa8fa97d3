import DOM

extension PageBlocks {
  /// Paragraphs side by side.
  struct LongText {
    /// What they stand in.
    var container: Int32
    /// How many words they have.
    var words: Int
  }

  /// A text of many paragraphs that is longer by far than any other on the page; nil when there is none.
  ///
  /// Pages with many short texts are listings, and one among them that is an article has been opened over
  /// them, or is what they are about.
  var longText: LongText? {
    var texts = [(words: Int, paragraphs: Int)](repeating: (0, 0), count: containers.count)
    for block in blocks where block.text.isProse {
      let container = Int(textContainer(of: block))
      texts[container].words += Int(block.text.words)
      texts[container].paragraphs += 1
    }
    guard let best = texts.indices.max(by: { texts[$0].words < texts[$1].words }),
      texts[best].paragraphs >= 8, texts[best].words >= 300
    else { return nil }
    let isFarLonger = texts.indices.allSatisfy {
      $0 == best || texts[$0].words * 2 <= texts[best].words
    }
    return isFarLonger ? LongText(container: Int32(best), words: texts[best].words) : nil
  }

  /// What the text of a block is a paragraph of.
  func textContainer(of block: Block) -> Int32 {
    let container = containers[Int(block.container)]
    return container.name == .p ? container.parent : block.container
  }
}
