import Layout
import OfflineCache

/// What a person has said of pages in words of their own, tags and notes, and passages that they
/// have kept, to be searched beside the text.
struct AnnotationSearch {
  private let library: PageLibrary
  private let tags: [(name: String, folded: FoldedText)]
  private let notes: [(key: String, folded: FoldedText)]

  /// Reads what there is.
  /// - Throws: `ArchiveError.unreadable`.
  init(_ library: PageLibrary) throws(ArchiveError) {
    self.library = library
    tags = try library.tagNames().map { ($0, FoldedText($0)) }
    notes =
      try library.notes().map { ($0.key, FoldedText($0.note)) }
      // A passage is searched even when the page has lost it.
      + library.highlightedPages().flatMap { page in
        page.highlights.map { (page.key, FoldedText($0.exact + "\n" + $0.note)) }
      }
  }

  /// The pages that have a tag, however it was typed.
  /// - Throws: `ArchiveError.unreadable`.
  func pages(tagged tag: String) throws(ArchiveError) -> Set<String> {
    let folded = TextFolding.folded(tag)
    return try pages(tagged: tags.map(\.name).filter { TextFolding.folded($0) == folded })
  }

  /// The pages of which a tag, a note or a kept passage says some words.
  /// - Throws: `ArchiveError.unreadable`.
  func pages(saying term: SearchQuery.Term) throws(ArchiveError) -> Set<String> {
    let words = FoldedText(term.text)
    func says(_ text: FoldedText) -> Bool {
      text.range(of: words, isWhole: !term.isPrefix) != nil
    }
    let ofTags = try pages(tagged: tags.filter { says($0.folded) }.map(\.name))
    return ofTags.union(notes.filter { says($0.folded) }.map(\.key))
  }

  private func pages(tagged names: [String]) throws(ArchiveError) -> Set<String> {
    var keys: Set<String> = []
    for name in names { keys.formUnion(try library.keys(with: .tag(name))) }
    return keys
  }
}

extension SearchStore {
  /// Of so many words it is asked whether own words of a page say them and its text the others.
  private static let mostOwnTerms = 4

  /// The pages that a query finds by text and by a person's own words.
  ///
  /// What is looked for may stand partly here and partly there. Pages with own words come first.
  /// - Parameters:
  ///   - query: what is looked for; its tags are not looked at here.
  ///   - own: the own words.
  ///   - keys: the pages that may be found, or nil for all of them.
  ///   - count: how many are wanted.
  /// - Returns: the numbers of the pages, the best first, at least as many as wanted when there are
  ///   more.
  /// - Throws: `DatabaseError`, `ArchiveError.unreadable`.
  func matches(
    _ query: SearchQuery, _ own: AnnotationSearch, among keys: Set<String>?, atLeast count: Int
  ) throws -> [Int64] {
    let saying = try query.terms.map { try own.pages(saying: $0) }
    let places = query.terms.indices.filter { !query.terms[$0].isExcluded && !saying[$0].isEmpty }
      .prefix(Self.mostOwnTerms)
    var ids: [Int64] = []
    for mask in stride(from: 1 << places.count - 1, to: 0, by: -1) {
      let taken = places.indices.filter { mask >> $0 & 1 != 0 }.map { places[$0] }
      var wanted = saying[taken[0]]
      for place in taken.dropFirst() { wanted.formIntersection(saying[place]) }
      if let keys { wanted.formIntersection(keys) }
      guard !wanted.isEmpty else { continue }
      var rest = query
      rest.terms = query.terms.indices.filter { !taken.contains($0) }.map { query.terms[$0] }
      ids += try matches(rest, among: wanted, atLeast: count)
      if rest.expression == nil, !rest.terms.isEmpty {
        // What must not be there can be told only by looking for it.
        var unwanted = rest
        for index in unwanted.terms.indices { unwanted.terms[index].isExcluded = false }
        for term in unwanted.terms {
          unwanted.terms = [term]
          let found = Set(try matches(unwanted, among: wanted, atLeast: wanted.count))
          ids.removeAll(where: found.contains)
        }
      }
    }
    ids += try matches(query, among: keys, atLeast: count)
    let excluded = query.terms.indices.filter { query.terms[$0].isExcluded }
      .reduce(into: Set<String>()) { $0.formUnion(saying[$1]) }
    var seen: Set<Int64> = []
    ids = ids.filter { seen.insert($0).inserted }
    guard !excluded.isEmpty else { return ids }
    let hidden = Set(
      try matches(SearchQuery(), among: excluded, atLeast: excluded.count))
    return ids.filter { !hidden.contains($0) }
  }
}
