import DOM
import Document

// Some pages show only the beginning of an article, whose whole text is in their linked data.

extension ContentModel.Selection {
  /// The whole text of the article from the linked data of the page (`articleBody`); nil unless it
  /// begins with the selected text and continues.
  var wholeText: Self? {
    guard source == .page, article != nil, whole.declaresArticleBody else { return nil }
    let shown = ArticleBody.tokens(of: text(of: isKept))
    guard let body = EmbeddedText(articleBodyOf: whole),
      ArticleBody.continues(
        shown, in: ArticleBody.tokens(of: body.tree.line(below: 0)[...]), comments: commentTexts)
    else { return nil }
    let page = PageBlocks(body.tree)
    return Self(
      source: .embedded(body.source), whole: body.tree,
      candidates: ContentCandidates(all: page, kind: kind),
      isKept: Array(repeating: true, count: page.blocks.count))
  }

  /// Returns the text of the kept blocks, except headings of level 1.
  private func text(of isKept: [Bool]) -> Substring {
    page.blocks.indices.filter { isKept[$0] && page.blocks[$0].headingLevel != 1 }.map {
      page.text(of: $0, in: whole)
    }.joined(separator: " ")[...]
  }

  /// The texts of long blocks in comments.
  private var commentTexts: [[Substring]] {
    guard let comments = candidates.comments else { return [] }
    return page.blocks.indices.filter {
      comments.isInside[$0] && page.blocks[$0].text.wordCount >= ArticleBody.run
    }.map { ArticleBody.tokens(of: page.text(of: $0, in: whole)[...]) }
  }
}

/// Compares the text of an article that a page shows with the one in its data.
enum ArticleBody {
  /// The number of consecutive words that identify a comment.
  static let run = 8
  /// The number of words that may be missing from the body in one place.
  private static let gap = 12
  /// The minimum number of words that the page shows, and of words that continue them.
  private static let minShown = 15, minRest = 30
  /// The maximum number of words such as "Reply" in the rest of a body; a rest with more contains
  /// comments.
  private static let maxReplies = 2
  private static let replies: Set<Substring> = [
    "reply", "replies", "says", "antworten", "répondre", "responder", "rispondi",
  ]

  /// Returns the words of a text in lower case.
  static func tokens(of text: Substring) -> [Substring] {
    text.lowercased()[...].split { !$0.isLetter && !$0.isNumber }
  }

  /// Returns whether a body begins with the shown words and continues, without comments.
  /// - Parameters:
  ///   - shown: The words that the page shows.
  ///   - body: The words of the body.
  ///   - comments: The words of comments.
  /// - Returns: Whether the body is the whole text.
  static func continues(_ shown: [Substring], in body: [Substring], comments: [[Substring]]) -> Bool
  {
    guard shown.count >= minShown, body.count >= shown.count + minRest else { return false }
    var (position, found) = (0, 0)
    for word in shown {
      let end = min(body.count, position + gap)
      guard position < end, let index = body[position..<end].firstIndex(of: word) else { continue }
      found += 1
      position = index + 1
    }
    let rest = body[position...]
    guard found * 5 >= shown.count * 4, rest.count >= max(minRest, body.count / 5),
      rest.count(where: replies.contains) <= maxReplies
    else { return false }
    return !comments.contains { contains($0.prefix(run), in: body) }
  }

  private static func contains(_ run: ArraySlice<Substring>, in words: [Substring]) -> Bool {
    guard let first = run.first else { return false }
    return words.indices.contains { words[$0] == first && words[$0...].starts(with: run) }
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
