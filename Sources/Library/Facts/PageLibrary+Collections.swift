import Foundation
import GRDB
package import OfflineCache

// Collections: named sets of pages in reading order.

extension PageLibrary {
  /// The name of this device, as additions to collections record it.
  package var device: String { directory.device }

  /// The current time in milliseconds since 1970.
  package var now: Int64 { milliseconds }

  /// Returns the collections, the one that was saved last first.
  /// - Parameter isRemoved: Whether to return only collections whose removal is pending, rather
  ///   than only the others.
  /// - Returns: The collections with their pages.
  /// - Throws: `ArchiveError.unreadable`.
  package func collections(isRemoved: Bool = false) throws(ArchiveError) -> [PageCollection] {
    try withStore { store throws in
      try store.collectionRecords(isRemoved: isRemoved).map(store.withPages)
    }
  }

  /// Returns the collections whose removal is not pending, the one that was saved last first.
  /// - Parameter limit: The maximum number of collections.
  /// - Returns: The collections without their pages.
  /// - Throws: `ArchiveError.unreadable`.
  package func collectionsWithoutPages(
    limit: Int = .max
  ) throws(ArchiveError) -> [PageCollection] {
    try withStore { store throws in
      try store.collectionRecords(isRemoved: false, limit: limit).map(store.withTags)
    }
  }

  /// Returns the identifiers of the collections, except those whose removal is pending.
  /// - Throws: `ArchiveError.unreadable`.
  package func collectionIDs() throws(ArchiveError) -> Set<String> {
    try withStore { store throws in try store.collectionIDs() }
  }

  /// Returns a collection with its pages, even if its removal is pending; nil if there is none.
  /// - Throws: `ArchiveError.unreadable`.
  package func collection(_ id: String) throws(ArchiveError) -> PageCollection? {
    try withStore { store throws in try store.collection(id) }
  }

  /// Returns the collection that a page is in, with its pages. If there are several, returns the
  /// one that was saved last; nil if the page is in no collection.
  /// - Throws: `ArchiveError.unreadable`.
  package func collection(of page: LibraryPage) throws(ArchiveError) -> PageCollection? {
    let ids = page.membership.collections
    return try withStore { store throws in
      try ids.compactMap(store.collection).filter { $0.removed == nil }
        .min(by: PageCollection.isBefore)
    }
  }

  /// Returns the keys of the pages that redirect to pages of a collection.
  /// - Throws: `ArchiveError.unreadable`.
  package func redirects(to id: String) throws(ArchiveError) -> [String] {
    try withStore { store throws in try store.members(of: id).redirects }
  }

  /// Returns the pages that have a tag of their own or are in a collection that has the tag, each
  /// page once.
  /// - Throws: `ArchiveError.unreadable`.
  package func pages(taggedWith tag: String) throws(ArchiveError) -> [LibraryPage] {
    var keys: [String] = []
    var seen: Set<String> = []
    for page in try pages(with: .tag(tag)) {
      let id = PageCollection.id(ofKey: page.key)
      let members = try id.map { id throws(ArchiveError) in try shownPages(of: id) } ?? [page.key]
      keys += members.filter { seen.insert($0).inserted }
    }
    return try pages(keys)
  }

  private func shownPages(of id: String) throws(ArchiveError) -> [String] {
    guard let collection = try collection(id), collection.removed == nil else { return [] }
    return collection.pages
  }
}

extension LibraryStore {
  /// Returns the collections without their pages and tags, the one that was saved last first.
  fileprivate func collectionRecords(
    isRemoved: Bool, limit: Int = .max
  ) throws -> [PageCollection] {
    let rows = try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key, value FROM \(Self.collectionFacts)
          ORDER BY json_extract(value, '$.saved') DESC LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [isRemoved, limit])
    }
    return try rows.compactMap { row in
      guard let id = PageCollection.id(ofKey: try row.value(0)),
        let record = PageCollection.Record(text: try row.value(1))
      else { return nil }
      return PageCollection(id: id, record: record)
    }.sorted(by: PageCollection.isBefore)
  }

  /// The SQL table of the records of collections, either of those whose removal is pending or of
  /// the others.
  private static let collectionFacts = """
    (SELECT key, value FROM fact
    WHERE attribute = 'collection' AND (value IS NULL) = 0
      AND iif(json_valid(value), json_extract(value, '$.removed') IS NOT NULL, NULL) = ?)
    """

  fileprivate func collectionIDs() throws -> Set<String> {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT key FROM \(Self.collectionFacts)")
      return Set(
        try String.fetchAll(statement, arguments: [false]).compactMap(PageCollection.id(ofKey:)))
    }
  }

  /// Returns a collection with its pages; nil if there is none.
  func collection(_ id: String) throws -> PageCollection? {
    guard let text = try fact(.collection, of: PageCollection.key(of: id))?.value,
      let record = PageCollection.Record(text: text)
    else { return nil }
    return try withPages(PageCollection(id: id, record: record))
  }

  /// Returns a collection with its tags.
  fileprivate func withTags(_ collection: PageCollection) throws -> PageCollection {
    var collection = collection
    collection.tags = try database.read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT substr(attribute, 5) FROM fact WHERE key = ?
            AND attribute >= 'tag:' AND attribute < 'tag;' AND value IS NOT NULL
            """), arguments: [collection.key]
      ).sorted()
    }
    return collection
  }

  /// Returns a collection with its tags and its pages in reading order.
  fileprivate func withPages(_ collection: PageCollection) throws -> PageCollection {
    var collection = try withTags(collection)
    collection.pages = try members(of: collection.id).pages
    let order = try fact(.order, of: collection.key)?.value.map(PageCollection.Order.init(text:))
    guard let order else { return collection }
    var ranks: [String: Int] = [:]
    for (rank, digest) in order.digests.enumerated() { ranks[digest] = rank }
    let ranked = collection.pages.map { ($0, ranks[FeedItemRecord.digest(of: $0)]) }
    collection.pages =
      ranked.compactMap { page, rank in rank.map { (page, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
      + ranked.filter { $0.1 == nil }.map(\.0)
    return collection
  }

  /// Returns the pages of a collection in the order of the crawl, and the pages that redirect to
  /// them.
  func members(of id: String) throws -> (pages: [String], redirects: [String]) {
    var memberships: [String: CollectionMembership] = [:]
    for attributePrefix in [LibraryAttribute.memberPrefix, LibraryAttribute.formerMemberPrefix] {
      let collectionPrefix = "\(attributePrefix)\(id):"
      try database.read { db in
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT key, attribute, value FROM fact
            WHERE attribute >= ? AND attribute < ? AND value IS NOT NULL
            """, arguments: [collectionPrefix, "\(attributePrefix)\(id);"])
        while let row = try rows.next() {
          let (key, attribute): (String, String) = (try row.value(0), try row.value(1))
          let device = String(attribute.dropFirst(collectionPrefix.count))
          let value: String = try row.value(2)
          if attributePrefix == LibraryAttribute.memberPrefix {
            memberships[key, default: CollectionMembership()].add(value, to: id, by: device)
          } else {
            memberships[key]?.remove(value, from: id, by: device)
          }
        }
      }
    }
    let members = memberships.compactMap { key, membership in
      membership.addition(to: id).map { (key, $0) }
    }
    let pages = members.compactMap { key, addition in addition.number.map { (key, $0) } }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    return (pages, members.filter { $0.1.number == nil }.map(\.0).sorted())
  }

  /// Returns whether a page is in a collection whose pages are pinned.
  func isInPinnedCollection(_ key: String) throws -> Bool {
    let page = try page(key)
    return try page.membership.collections.contains { id in
      let value = try fact(.collection, of: PageCollection.key(of: id))?.value
      return value.flatMap(PageCollection.Record.init(text:)).map {
        $0.isPinned && $0.removed == nil
      } ?? false
    }
  }
}

extension PageLibrary {
  /// Returns whether a collection was ever recorded, even if it has been removed since.
  /// - Throws: `ArchiveError.unreadable`.
  package func hasRecord(ofCollection id: String) throws(ArchiveError) -> Bool {
    try withStore { store throws in
      try store.fact(.collection, of: PageCollection.key(of: id)) != nil
    }
  }

  /// Returns the tags of a page and of the collections that it is in, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func tags(of page: LibraryPage) throws(ArchiveError) -> [String] {
    var tags = Set(page.tags)
    for id in page.membership.collections {
      if let collection = try collection(id), collection.removed == nil {
        tags.formUnion(collection.tags)
      }
    }
    return tags.sorted()
  }

  /// Returns the collections whose pending removal hides the given pages.
  /// - Returns: The identifiers of the collections by page. Pages that are not hidden, or whose own
  ///   removal was requested, are omitted.
  /// - Throws: `ArchiveError.unreadable`.
  package func hidingCollections(
    of keys: [String]
  ) throws(ArchiveError) -> [String: String] {
    try withStore { store throws in
      var collections: [String: String] = [:]
      for key in keys {
        collections[key] = try store.fact(.removed, of: key)?.value.flatMap(
          PageCollection.id(ofKey:))
      }
      return collections
    }
  }

  /// Returns the given pages that are hidden because the collection with a key
  /// (`PageCollection.key`) is being removed.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(
    hiddenBy collection: String, among keys: [String]
  ) throws(ArchiveError) -> [String] {
    try withStore { store throws in
      try keys.filter { try store.fact(.removed, of: $0)?.value == collection }
    }
  }
}

extension PageLibrary {
  /// Returns a journal with the effective facts about some pages and collections, without the facts
  /// that apply only on this device.
  /// - Parameters:
  ///   - keys: The keys of the pages and collections.
  ///   - name: The name of the device to which the journal belongs.
  /// - Returns: The bytes of the journal.
  /// - Throws: `ArchiveError.unreadable`.
  package func journal(of keys: [String], named name: String) throws(ArchiveError) -> [UInt8] {
    let facts = try withStore { store throws in try store.facts(of: keys) }
    let head = LibraryJournal.Head(device: SegmentName.device(name), id: UUID().uuidString)
    return LibraryJournal.text(head) + LibraryJournal.text(facts)
  }
}

extension LibraryStore {
  /// Returns the effective facts about the pages and collections with the given keys, except facts
  /// that apply only on the device that recorded them.
  fileprivate func facts(of keys: [String]) throws -> [LibraryFact] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT key, attribute, value, date, machine FROM fact WHERE key = ? ORDER BY date")
      return try keys.flatMap { key in
        try Row.fetchAll(statement, arguments: [key]).compactMap(Self.fact).filter {
          $0.attribute != .local && $0.attribute != .fromProgram
        }
      }
    }
  }
}
