import DOM

extension PageBlocks {
  /// Keeps the `article` elements after the one of the text if all of them have a heading and
  /// likely sentences, and none has a link: they are parts of the text, such as the updates of a
  /// live report. Teasers of other articles are links.
  func keepArticleParts(_ isKept: inout [Bool], _ mayBelong: [Bool], _ probabilities: [Float]) {
    let articles = containers.indices.filter { containers[$0].name == .article }
    guard articles.count > Self.minArticleParts,
      let text = articles.first(where: { article in
        containers[article].blockRange.contains { isKept[Int($0)] && blocks[Int($0)].text.isProse }
      })
    else { return }
    let parts = articles.filter {
      containers[$0].parentIndex == containers[text].parentIndex && $0 > text
    }.map { containers[$0].blockRange }
    let areParts = parts.allSatisfy { range in
      guard let first = range.first, 2...4 ~= blocks[Int(first)].headingLevel,
        sum(range).linkCount == 0, range.allSatisfy({ mayBelong[Int($0)] })
      else { return false }
      return range.contains { index in
        blocks[Int(index)].text.isProse && blocks[Int(index)].text.sentenceEndCount > 0
          && probabilities[Int(index)] >= Self.minPartProbability
      }
    }
    guard parts.count >= Self.minArticleParts, areParts else { return }
    for index in parts.joined() { isKept[Int(index)] = true }
  }

  private static let minArticleParts = 2
  private static let minPartProbability: Float = 0.2

  /// Keeps blocks without words between two kept blocks of one element, such as `* * *` between two
  /// scenes.
  func keepDividers(_ isKept: inout [Bool], _ mayBelong: [Bool]) {
    for index in blocks.indices.dropFirst().dropLast()
    where !isKept[index] && mayBelong[index] && isKept[index - 1] && isKept[index + 1] {
      let text = blocks[index].text
      guard text.wordCount == 0, text.linkCount == 0,
        textContainerIndex(of: blocks[index - 1]) == textContainerIndex(of: blocks[index + 1])
      else { continue }
      isKept[index] = true
    }
  }

  /// Keeps the elements named as answers after an element named as a question with kept sentences,
  /// and the heading above the first of them.
  func keepAnswers(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    let question = containers.first { container in
      (tree.value(.class, of: container.node, matches: Self.questionNames)
        || tree.value(.id, of: container.node, matches: Self.questionNames))
        && container.blockRange.contains {
          isKept[Int($0)] && blocks[Int($0)].text.sentenceEndCount > 0
        }
    }
    guard let end = question?.blockRange.upperBound else { return }
    for container in containers
    where container.blockRange.lowerBound >= end
      && (tree.value(.class, of: container.node, matches: Self.answerNames)
        || tree.value(.itemprop, of: container.node, matches: Self.answerNames))
    {
      let answer = container.blockRange.filter { index in
        mayBelong[Int(index)]
          && !(blocks[Int(index)].isLink && linksToOtherPage(Int(index), in: tree))
      }
      guard !answer.isEmpty else { continue }
      for index in answer { isKept[Int(index)] = true }
      let above = Int(container.blockRange.lowerBound) - 1
      if blocks[above].headingLevel > 0, mayBelong[above] { isKept[above] = true }
    }
  }

  private static let questionNames = WordMatcher(
    " question , frage , pregunta , domanda , pergunta ")
  private static let answerNames = WordMatcher([
    (1, " answer , accepted-answer , antwort , respuesta , risposta , resposta "),
    (1, " acceptedanswer , suggestedanswer "),
  ])
}
