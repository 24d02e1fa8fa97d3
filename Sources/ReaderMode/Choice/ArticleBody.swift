import DOM
import Document

// Some pages show only the beginning of an article, whose whole text is in their linked data.

extension ContentModel.Selection {
  /// The whole text of the article from the linked data of the page (`articleBody`); nil unless it
  /// begins with the selected text and continues.
  var wholeText: Self? {
    guard source == .visiblePage, article != nil, wholePage.declaresArticleBody else { return nil }
    let shown = ArticleBody.tokens(of: text(of: isKept))
    guard let body = EmbeddedText(articleBodyOf: wholePage),
      ArticleBody.isContinued(
        shown, in: ArticleBody.tokens(of: body.tree.collapsedText(below: 0)[...]),
        commentWords: commentWords
      )
    else { return nil }
    let page = PageBlocks(body.tree)
    return Self(
      source: .structuredData(body.source), wholePage: body.tree,
      candidates: ContentCandidates(allContentOf: page, kind: kind),
      isKept: Array(repeating: true, count: page.blocks.count))
  }

  /// Returns the text of the kept blocks, except headings of level 1.
  private func text(of isKept: [Bool]) -> Substring {
    page.blocks.indices.filter { isKept[$0] && page.blocks[$0].headingLevel != 1 }.map {
      page.text(of: $0, in: wholePage)
    }.joined(separator: " ")[...]
  }

  /// The texts of long blocks in comments.
  private var commentWords: [[Substring]] {
    guard let comments = candidates.comments else { return [] }
    return page.blocks.indices.filter {
      comments.isInsideComments[$0]
        && page.blocks[$0].text.wordCount >= ArticleBody.minIdentifyingRun
    }.map { ArticleBody.tokens(of: page.text(of: $0, in: wholePage)[...]) }
  }
}

/// Compares the text of an article that a page shows with the one in its data.
enum ArticleBody {
  /// The number of consecutive words that identify a comment.
  static let minIdentifyingRun = 8
  /// The number of words that may be missing from the body in one place.
  private static let maxGap = 12
  /// The minimum number of words that the page shows, and of words that continue them.
  private static let minShownWordCount = 15, minContinuationWordCount = 30
  /// The maximum number of words such as "Reply" in the rest of a body; a rest with more contains
  /// comments.
  private static let maxReplies = 2
  private static let replyWords: Set<Substring> = [
    "reply", "replies", "says", "antworten", "répondre", "responder", "rispondi",
  ]

  /// Returns the words of a text in lower case.
  static func tokens(of text: Substring) -> [Substring] {
    text.lowercased()[...].split { !$0.isLetter && !$0.isNumber }
  }

  /// Returns whether a body begins with the shown words and continues, without comments.
  static func isContinued(
    _ shownWords: [Substring], in bodyWords: [Substring], commentWords: [[Substring]]
  ) -> Bool {
    guard shownWords.count >= minShownWordCount,
      bodyWords.count >= shownWords.count + minContinuationWordCount
    else { return false }
    var (position, found) = (0, 0)
    for word in shownWords {
      let end = min(bodyWords.count, position + maxGap)
      guard position < end, let index = bodyWords[position..<end].firstIndex(of: word) else {
        continue
      }
      found += 1
      position = index + 1
    }
    let rest = bodyWords[position...]
    guard found * 5 >= shownWords.count * 4,
      rest.count >= max(minContinuationWordCount, bodyWords.count / 5),
      rest.count(where: replyWords.contains) <= maxReplies
    else { return false }
    return !contains(commentWords.map { $0.prefix(minIdentifyingRun) }, in: bodyWords)
  }

  /// Returns whether a text contains any of some runs of words. All runs are searched for at once,
  /// because both the text and the runs may be many.
  private static func contains(_ runs: [ArraySlice<Substring>], in words: [Substring]) -> Bool {
    Dictionary(grouping: runs.filter { !$0.isEmpty }, by: \.count).contains { length, runs in
      let wanted = Set(runs)
      return words.indices.dropLast(length - 1).contains {
        wanted.contains(words[$0..<$0 + length])
      }
    }
  }
}

extension DOMTree {
  /// Whether linked data of the page has the key `articleBody`.
  fileprivate var declaresArticleBody: Bool {
    structuredData.contains {
      $0.kind == .linkedData && bytes.contains("articlebody", in: $0.range)
    }
  }
}
