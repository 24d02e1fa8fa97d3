package import DOM

extension DOMTree {
  /// Whether an element that is named as an author is about a part of the page, such as a
  /// quotation, a review by a customer or an image, rather than about the page.
  package func isAuthorOfPart(_ node: Int32) -> Bool {
    if isNamed(node, Self.quotationNames) || isInReviews(node) { return true }
    var ancestor = nodes[Int(node)].parent ?? 0
    for _ in 0..<Self.maxAncestorsOfAuthor where ancestor > 0 {
      switch nodes[Int(ancestor)].name {
      case .blockquote, .figure: return true
      case .article, .main, .body: return false
      default: if isNamed(ancestor, Self.quotationNames) { return true }
      }
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return false
  }

  /// Whether a node is in an element named as reviews by customers, which have authors and dates of
  /// their own. With a heading of level 1 it is the text of the page.
  func isInReviews(_ node: Int32) -> Bool {
    var ancestor = nodes[Int(node)].parent ?? 0
    for _ in 0..<Self.maxAncestorsInReviews where ancestor > 0 {
      let name = nodes[Int(ancestor)].name
      if name != .body, name != .main, isNamed(ancestor, Self.reviewNames) {
        return !hasTopLevelHeading(below: ancestor)
      }
      ancestor = nodes[Int(ancestor)].parent ?? 0
    }
    return false
  }

  /// Whether an element that is named as an author belongs to a sentence of the text: it is the
  /// dateline of a report, or words other than "written by" and the like precede it.
  package func isInSentenceOfText(_ node: Int32) -> Bool {
    let own = collapsedText(below: node)
    let isDateline = [AttributeName.class, .id].contains { isNamed(node, Self.datelineNames, $0) }
    if isDateline, let last = own.last, "—–-".contains(last) { return true }
    guard !own.isEmpty, !nodes[Int(node)].name.isBlock else { return false }
    let block = blockAround(node)
    guard block > 0, !nodes[Int(block)].contents.contains(.block),
      case let line = collapsedText(below: block), let range = line.firstRange(of: own),
      let last = line.last, ".!?。”\"".contains(last)
    else { return false }
    let before = line[..<range.lowerBound].lowercased().split { !$0.isLetter && !$0.isNumber }
    let wordCount = before.count + line[range.upperBound...].split(separator: " ").count
    if isDateline { return wordCount >= Self.minWordsBeforeName }
    guard wordCount > DateLine.maxOtherWordCount, before.count >= Self.minWordsBeforeName,
      let first = before.first, !MetadataVocabulary.namePrefixes.contains(String(first))
    else { return false }
    return !before.contains {
      MetadataVocabulary.publicationTerms.contains(String($0))
        || MetadataVocabulary.authorshipTerms.contains(String($0))
    }
  }

  private func isNamed(
    _ node: Int32, _ names: WordMatcher, _ attributeName: AttributeName = .class
  ) -> Bool {
    guard let value = attribute(attributeName, of: node) else { return false }
    let end = min(value.upperBound, value.lowerBound + Self.maxNamesLength)
    return bytes.withUnsafeBufferPointer { names.match($0, in: value.lowerBound..<end) } != 0
  }

  /// Whether one of the first descendants of a node is a heading of level 1.
  func hasTopLevelHeading(below root: Int32) -> Bool {
    descendants(of: root).prefix(Self.maxNodesBeforeHeading).contains {
      nodes[Int($0)].name == .h1
    }
  }

  private static let quotationNames = WordMatcher("quote,quotation,testimonial")
  private static let reviewNames = WordMatcher(
    """
     reviews , customer-review, user-review, reader-review, review-list , reviews-list ,\
    woocommerce-reviews
    """)
  private static let datelineNames = WordMatcher("dateline")
  private static let maxAncestorsOfAuthor = 64
  /// The maximum number of ancestors of an author or a date that are examined for names of reviews.
  private static let maxAncestorsInReviews = 24
  /// The maximum length in bytes of the names of an element that are examined.
  private static let maxNamesLength = 512
  /// The minimum number of words before a name in a sentence of the text.
  private static let minWordsBeforeName = 3
  private static let maxNodesBeforeHeading = 400
}
