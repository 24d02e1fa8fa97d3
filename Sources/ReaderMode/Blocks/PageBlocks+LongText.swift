import DOM

extension PageBlocks {
  /// Consecutive paragraphs of one container.
  struct LongText {
    var containerIndex: Int32
    var wordCount: Int
  }

  /// A text of many paragraphs at least twice as long as any other on the page; nil if there is
  /// none.
  ///
  /// Pages of many short texts are listings. A long text on such a page is an article opened on top
  /// of them, or the subject of the page.
  var longText: LongText? {
    var texts = [(words: Int, paragraphs: Int)](repeating: (0, 0), count: containers.count)
    for block in blocks where block.text.isProse {
      let container = Int(textContainerIndex(of: block))
      texts[container].words += Int(block.text.wordCount)
      texts[container].paragraphs += 1
    }
    guard let best = texts.indices.max(by: { texts[$0].words < texts[$1].words }),
      texts[best].paragraphs >= 8, texts[best].words >= 300
    else { return nil }
    let isFarLonger = texts.indices.allSatisfy {
      $0 == best || texts[$0].words * 2 <= texts[best].words
    }
    return isFarLonger ? LongText(containerIndex: Int32(best), wordCount: texts[best].words) : nil
  }

  /// Returns the container of the text that a block is a paragraph of.
  func textContainerIndex(of block: Block) -> Int32 {
    let container = containers[Int(block.containerIndex)]
    return container.name == .p ? container.parentIndex : block.containerIndex
  }
}
