import Layout
import OfflineCache

/// Searches the tags, notes and highlights of the user, in addition to the text of pages.
///
/// Annotations of a URL that redirects also apply to the page to which it leads, because that page
/// has the text.
struct AnnotationSearch {
  private let library: PageLibrary
  private let cache: HTTPCache
  private let tags: [(name: String, folded: FoldedText)]
  private let notes: [(key: String, folded: FoldedText)]

  /// Loads the tags, notes and highlights.
  /// - Throws: `ArchiveError.unreadable`.
  init(_ library: PageLibrary, _ cache: HTTPCache) throws(ArchiveError) {
    (self.library, self.cache) = (library, cache)
    tags = try library.tagNames().map { ($0, FoldedText($0)) }
    notes =
      try library.notes().map { ($0.key, FoldedText($0.note)) }
      // A highlight is searched even if the page no longer contains the passage.
      + library.highlightedPages().flatMap { page in
        page.highlights.map { (page.key, FoldedText($0.exact + "\n" + $0.note)) }
      }
  }

  /// Returns the pages with a tag, ignoring case and accents.
  /// - Throws: `ArchiveError.unreadable`.
  func pages(tagged tag: String) throws(ArchiveError) -> Set<String> {
    let folded = TextFolding.folded(tag)
    return try withTargets(
      keys(taggedWith: tags.map(\.name).filter { TextFolding.folded($0) == folded }))
  }

  /// Returns the pages with a tag, a note or a highlight that contains a term.
  /// - Throws: `ArchiveError.unreadable`.
  func pages(annotatedWith term: SearchQuery.Term) throws(ArchiveError) -> Set<String> {
    let choices = term.choices.map { (text: FoldedText($0.text), isWhole: !$0.isPrefix) }
    func isContained(in text: FoldedText) -> Bool {
      choices.contains { text.range(of: $0.text, matchesWholeWords: $0.isWhole) != nil }
    }
    let ofTags = try keys(taggedWith: tags.filter { isContained(in: $0.folded) }.map(\.name))
    return try withTargets(ofTags.union(notes.filter { isContained(in: $0.folded) }.map(\.key)))
  }

  private func withTargets(_ keys: Set<String>) throws(ArchiveError) -> Set<String> {
    guard !keys.isEmpty else { return [] }
    return try keys.union(cache.redirectTargets(of: keys))
  }

  private func keys(taggedWith names: [String]) throws(ArchiveError) -> Set<String> {
    var keys: Set<String> = []
    for name in names { keys.formUnion(try library.pages(taggedWith: name).map(\.key)) }
    return keys
  }
}

extension SearchStore {
  /// The maximum number of terms for which annotations are searched in combination with the text.
  private static let maxAnnotationTerms = 4

  /// Returns the pages that match a query by their text and annotations together.
  ///
  /// Each term may occur in the text or in an annotation. Pages with matching annotations come
  /// first.
  /// - Parameters:
  ///   - query: The query; its tags are ignored here.
  ///   - annotations: The annotations of the user.
  ///   - keys: The pages that may be returned, or nil for all pages.
  ///   - count: The number of pages wanted.
  /// - Returns: The ids of the pages, best first: at least `count` if enough pages match.
  /// - Throws: `DatabaseError`, `ArchiveError.unreadable`.
  func matches(
    _ query: SearchQuery, _ annotations: AnnotationSearch, among keys: Set<String>?,
    atLeast count: Int
  ) throws -> [Int64] {
    let keysByTerm = try query.terms.map { try annotations.pages(annotatedWith: $0) }
    let positions = query.terms.indices.filter {
      !query.terms[$0].isExcluded && !keysByTerm[$0].isEmpty
    }
    .prefix(Self.maxAnnotationTerms)
    var ids: [Int64] = []
    for mask in stride(from: 1 << positions.count - 1, to: 0, by: -1) {
      let annotationPositions = positions.indices.filter { mask >> $0 & 1 != 0 }.map {
        positions[$0]
      }
      var annotatedKeys = keysByTerm[annotationPositions[0]]
      for position in annotationPositions.dropFirst() {
        annotatedKeys.formIntersection(keysByTerm[position])
      }
      if let keys { annotatedKeys.formIntersection(keys) }
      guard !annotatedKeys.isEmpty else { continue }
      var remainingQuery = query
      remainingQuery.terms = query.terms.indices.filter { !annotationPositions.contains($0) }.map {
        query.terms[$0]
      }
      ids += try matches(remainingQuery, among: annotatedKeys, atLeast: count)
      if remainingQuery.expression == nil {
        try removeExcluded(by: remainingQuery, among: annotatedKeys, from: &ids)
      }
    }
    ids += try matches(query, among: keys, atLeast: count)
    let excludedKeys = query.terms.indices.filter { query.terms[$0].isExcluded }
      .reduce(into: Set<String>()) { $0.formUnion(keysByTerm[$1]) }
    var seenIDs: Set<Int64> = []
    ids = ids.filter { seenIDs.insert($0).inserted }
    guard !excludedKeys.isEmpty else { return ids }
    let hiddenIDs = Set(
      try matches(SearchQuery(), among: excludedKeys, atLeast: excludedKeys.count))
    return ids.filter { !hiddenIDs.contains($0) }
  }

  /// Removes the matches of the terms of a query, all of which are excluded. FTS5 does not support
  /// queries of only excluded terms.
  private func removeExcluded(
    by query: SearchQuery, among keys: Set<String>, from ids: inout [Int64]
  ) throws {
    var exclusionQuery = query
    for term in query.terms {
      exclusionQuery.terms = [term]
      exclusionQuery.terms[0].isExcluded = false
      let excludedIDs = Set(try matches(exclusionQuery, among: keys, atLeast: keys.count))
      ids.removeAll(where: excludedIDs.contains)
    }
  }
}
