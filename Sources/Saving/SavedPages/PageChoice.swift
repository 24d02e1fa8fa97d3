package import Reader
import Document
package import Library
import OfflineCache

/// The pages that somebody has chosen: by their URLs, or by the tags that they have.
package struct PageChoice: Sendable, Equatable {
  /// Why nothing can be chosen. Whatever else was named, nothing is done then.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    /// A tag without a letter, such as that of a variable that is not set.
    case emptyTag
    /// No page has the tag.
    case unknownTag(String)

    /// The words for a person.
    package var description: String {
      switch self {
      case .emptyTag: "a tag is a word; with an empty one no page is chosen"
      case .unknownTag(let tag): "no page has the tag \(SafeText.line(tag))"
      }
    }
  }

  /// The URLs of the pages, those that were named first; each page once.
  package private(set) var urls: [String] = []

  /// Puts together what was chosen.
  /// - Parameters:
  ///   - named: the URLs that were named, absolute, in their order.
  ///   - tagged: each tag as it was typed, with the pages that have it.
  ///   - key: the cache key of a URL: those with the same are one page.
  /// - Throws: a problem with the first tag that has one.
  package init(
    named: [String], tagged: [(tag: String, pages: [LibraryPage])], key: (String) -> String?
  ) throws(Problem) {
    for (tag, pages) in tagged {
      guard LibraryAttribute.tag(tag) != nil else { throw .emptyTag }
      guard !pages.isEmpty else { throw .unknownTag(tag) }
    }
    var seen: Set<String> = []
    for url in named {
      let key = key(url) ?? url
      if seen.insert(key).inserted { urls.append(LibraryPage.address(url, of: key)) }
    }
    for page in tagged.lazy.flatMap(\.pages) where seen.insert(page.key).inserted {
      urls.append(page.url)
    }
  }

  /// The same, with the pages of the tags looked up.
  /// - Parameters:
  ///   - named: the URLs that were named, absolute.
  ///   - tags: the tags as they were typed; a page needs one of them.
  ///   - profile: whose library it is.
  ///   - isRemoved: whether the pages that wait to be removed are meant, and not the others.
  /// - Throws: `Problem`, or `ArchiveError.unreadable`.
  package init(
    named: [String], tags: [String], in profile: Profile, isRemoved: Bool = false
  ) throws {
    let library = profile.library
    let removed = isRemoved && !tags.isEmpty ? try library.pages(with: .removed) : []
    let typed = tags.flatMap { typed in
      let tags = LibraryAttribute.tags(typed)
      return tags.count < 2 ? [typed] : tags
    }
    let tagged = try typed.map { typed -> (tag: String, pages: [LibraryPage]) in
      guard let tag = LibraryAttribute.tag(typed) else { return (typed, []) }
      let pages =
        try isRemoved
        ? removed.filter { $0.tags.contains(tag) } : library.pages(with: .tag(tag))
      return (typed, pages)
    }
    try self.init(named: named, tagged: tagged, key: profile.cache.key(of:))
  }
}
