package import Profiles
import Document
package import Library
import OfflineCache

/// The pages that the user has selected by URL or by tag.
package struct PageChoice: Sendable, Equatable {
  /// The reason why the selection is invalid. In that case, no page is selected at all.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    /// A tag that contains no words, such as the value of an unset shell variable.
    case emptyTag
    /// No page has the tag.
    case unknownTag(String)

    /// The message for the user.
    package var description: String {
      switch self {
      case .emptyTag: "the tag is empty"
      case .unknownTag(let tag): "no page has the tag \(SafeText.line(tag))"
      }
    }
  }

  /// The URLs of the pages, each once; those that the user named come first.
  package private(set) var urls: [String] = []

  /// Combines named and tagged pages.
  /// - Parameters:
  ///   - named: the absolute URLs that the user named, in order.
  ///   - tagged: each tag as it was typed, with the pages that have it.
  ///   - key: returns the cache key of a URL; URLs with the same key are one page.
  /// - Throws: `Problem` for the first invalid tag.
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

  /// Combines named pages with those that have one of the tags.
  /// - Parameters:
  ///   - named: the absolute URLs that the user named.
  ///   - tags: the tags as they were typed; pages with any of them are selected.
  ///   - profile: the profile with the library.
  ///   - isRemoved: whether to select among hidden pages, rather than among the others.
  /// - Throws: `Problem`, or `ArchiveError.unreadable`.
  package init(
    named: [String], tags: [String], in profile: Profile, isRemoved: Bool = false
  ) throws {
    let library = profile.library
    let removed = isRemoved && !tags.isEmpty ? try library.pages(with: .removed) : []
    // The tags of a collection apply to its pages as well.
    let collections = removed.isEmpty ? [] : try library.collectionsWithoutPages()
    let typed = tags.flatMap { typed in
      let tags = LibraryAttribute.tags(typed)
      return tags.count < 2 ? [typed] : tags
    }
    let tagged = try typed.map { typed -> (tag: String, pages: [LibraryPage]) in
      guard let tag = LibraryAttribute.tag(typed) else { return (typed, []) }
      guard isRemoved else { return (typed, try library.pages(taggedWith: tag)) }
      let tagged = Set(collections.filter { $0.tags.contains(tag) }.map(\.id))
      let pages = removed.filter {
        $0.tags.contains(tag) || !tagged.isDisjoint(with: $0.membership.collections)
      }
      return (typed, pages)
    }
    try self.init(named: named, tagged: tagged, key: profile.cache.key(of:))
  }
}
