import Crawl
import Layout
import Library
import OfflineCache
import Pages
import Profiles

/// Records the pages of a save as a collection, in steps. After each step, the library contains
/// every page that is on the disk, so that no page is lost if the process is killed.
struct CollectionRecorder {
  let id: String
  private let request: SaveRequest
  private let collectionRequest: CollectionRequest
  private let cache: HTTPCache
  private let library: PageLibrary
  /// The cache keys of the start pages of the request.
  private let startPageKeys: Set<String>
  /// The collection before this save; nil if it is new.
  private let previousCollection: PageCollection?
  /// The error that prevented looking up `previousCollection`; nil if there was none.
  private let lookupError: ArchiveError?
  private var record: PageCollection.Record
  private var hasName: Bool
  private var isRecorded = false
  /// The cache keys of the pages, by their numbers in the crawl.
  private var keysByNumber: [Int: String] = [:]
  /// The cache keys of the next documents that pages declare, by the cache keys of these pages.
  private var nextKeys: [String: String] = [:]
  private(set) var summary: CollectionSummary?
  /// Whether the pages of the collection are pinned.
  var isPinned: Bool { record.isPinned }

  /// Creates a recorder; returns nil if the pages of the request form no collection. If the library
  /// cannot be read, the error is thrown when a page is recorded, because a collection that is
  /// wrongly taken for new would replace the existing one.
  init?(_ request: SaveRequest, in profile: Profile) {
    let startURLs = request.pages + request.feeds.map(\.url)
    guard let collectionRequest = request.collection, let first = startURLs.first else {
      return nil
    }
    (self.request, self.collectionRequest) = (request, collectionRequest)
    (cache, library) = (profile.cache, profile.library)
    let key = profile.cache.key(of: first) ?? first
    startPageKeys = Set(startURLs.map { profile.cache.key(of: $0) ?? $0 })
    var (existingCollection, lookupError): (PageCollection?, ArchiveError?) = (nil, nil)
    do throws(ArchiveError) {
      existingCollection = try Self.find(
        collectionRequest, startPageKeys, startingAt: key, in: profile)
    } catch {
      lookupError = error
    }
    (previousCollection, self.lookupError) = (existingCollection, lookupError)
    id = previousCollection?.id ?? Self.newID(startingAt: key, collectionRequest.name, in: profile)
    let name = collectionRequest.name ?? previousCollection?.name
    record =
      previousCollection?.record
      ?? PageCollection.Record(name: name ?? first, start: [], isPinned: true, saved: 0)
    record.name = name ?? record.name
    hasName = name != nil
    guard !collectionRequest.isRefresh else { return }
    let recordedKeys = Set(record.start.map { [cache] in cache.key(of: $0) ?? $0 })
    record.begin(
      adding: startURLs.filter { !recordedKeys.contains(profile.cache.key(of: $0) ?? $0) },
      where: { [cache, startPageKeys] in startPageKeys.contains(cache.key(of: $0) ?? $0) },
      at: profile.library.now)
    (record.isPinned, record.removed, record.saved) = (true, nil, profile.library.now)
  }

  /// Returns the collection that a request updates, found by its identifier, else by its name, else
  /// by its start pages; nil if there is none. A collection whose removal is pending is returned
  /// only if no other matches.
  private static func find(
    _ wanted: CollectionRequest, _ startPageKeys: Set<String>, startingAt key: String,
    in profile: Profile
  ) throws(ArchiveError) -> PageCollection? {
    let library = profile.library
    if let id = wanted.id { return try library.collection(id) }
    let all = try library.collections() + library.collections(isRemoved: true)
    func startKeys(_ collection: PageCollection) -> Set<String> {
      Set(collection.startKeys(in: profile.cache))
    }
    guard let name = wanted.name else { return all.first { startKeys($0).contains(key) } }
    // An unknown name belongs to a new collection, unless a collection has the same start pages.
    return all.first { $0.name == name } ?? all.first { startKeys($0) == startPageKeys }
  }

  /// Returns the identifier of a new collection: the one derived from its start page or, if another
  /// collection has that identifier, one that also depends on its name.
  private static func newID(
    startingAt key: String, _ name: String?, in profile: Profile
  ) -> String {
    let id = PageCollection.id(ofStart: key)
    let isUsed = (try? profile.library.collection(id)) != nil
    return name.flatMap { isUsed ? PageCollection.id(ofStart: "\(key)\n\($0)") : nil } ?? id
  }

  /// Returns the changes that add pages to the collection; the changes for the first pages also
  /// record the collection itself.
  mutating func changes(
    _ rows: [(visit: LinkFrontier.Entry, outcome: SaveOutcome)]
  ) throws(ArchiveError) -> [LibraryChange] {
    if let lookupError { throw lookupError }
    var changes: [LibraryChange] = []
    let feeds = Set(request.feeds.map(\.url))
    for (entry, outcome) in rows
    where Self.isPartOfCollection(outcome) && !feeds.contains(entry.url) {
      guard let key = cache.key(of: outcome.url) else { continue }
      if !hasName, entry.number == 0, !outcome.title.isEmpty {
        (record.name, hasName, isRecorded) = (outcome.title, true, false)
      }
      // The page may have been reached by redirects.
      let target = cache.page(of: key)?.key ?? key
      changes += try adding(target, number: entry.number)
      if target != key { changes += try adding(key, number: nil) }
      if entry.depth > 0, !outcome.title.isEmpty {
        changes.append(LibraryChange(target, .title, outcome.title))
      }
      if entry.depth > 0, !outcome.neededKeys.isEmpty {
        changes.append(
          LibraryChange(target, .frames, outcome.neededKeys.joined(separator: "\n")))
      }
      keysByNumber[entry.number] = target
      if let nextKey = outcome.nextURL.map({ cache.key(of: $0) }) {
        nextKeys[target] = cache.page(of: nextKey)?.key ?? nextKey
      }
    }
    if try isGone() { return [] }
    guard !keysByNumber.isEmpty, !isRecorded else { return changes }
    isRecorded = true
    return changes + (try description())
  }

  /// Returns whether the collection to refresh has been removed in the meantime.
  private func isGone() throws(ArchiveError) -> Bool {
    guard collectionRequest.isRefresh else { return false }
    guard let collection = try library.collection(id) else { return true }
    return collection.removed != nil
  }

  private func description() throws(ArchiveError) -> [LibraryChange] {
    guard !collectionRequest.isRefresh else { return [] }
    let key = PageCollection.key(of: id)
    var hidden: [String] = []
    if let previousCollection, previousCollection.removed != nil {
      // The hidden pages that this save does not reach are restored with the collection as well.
      hidden = try library.keys(
        hiddenBy: key, among: previousCollection.pages + library.redirects(to: id))
    }
    return [LibraryChange(key, .collection, record.text)]
      + hidden.map { LibraryChange($0, .removed, nil) }
      + request.tags.map { LibraryChange(key, .tag($0), "1") }
  }

  /// Returns whether a page belongs to the collection: it is saved, or its failure is not lasting,
  /// so that it may be saved later.
  private static func isPartOfCollection(_ outcome: SaveOutcome) -> Bool {
    if outcome.isReadable { return true }
    if case .failed = outcome.result { return outcome.lastingFailure == nil }
    return false
  }

  private func adding(_ key: String, number: Int?) throws(ArchiveError) -> [LibraryChange] {
    let page = try library.page(key)
    let changes = page.membership.adding(
      key, to: id, number: number, by: library.device, at: library.now)
    return changes + (collectionRequest.isRefresh ? [] : [LibraryChange(key, .removed, nil)])
  }

  /// Returns the changes that record the reading order. Pages that this save did not reach remain
  /// in the collection.
  /// - Parameter isComplete: Whether all pages of the request were reached. If not, or if the
  ///   request lacks start pages of the collection, the previously recorded order remains, and new
  ///   pages follow.
  /// - Returns: The changes.
  /// - Throws: `ArchiveError`.
  mutating func finish(isComplete: Bool) throws(ArchiveError) -> [LibraryChange] {
    guard !keysByNumber.isEmpty, try !isGone(), let collection = try library.collection(id) else {
      return []
    }
    let keys = keysByNumber.sorted { $0.key < $1.key }.map(\.value)
    // The next documents of pages that redirect become known only now.
    let reachedOrder = PageCollection.readingOrder(keys, next: nextKeys)
    let (reached, previousKeys) = (Set(reachedOrder), Set(previousCollection?.pages ?? []))
    // The pages that this save has added are at the end and are excluded here.
    let retainedKeys = collection.pages.filter {
      previousKeys.contains($0) || !reached.contains($0)
    }
    let unreached = retainedKeys.filter { !reached.contains($0) }
    let isWhole =
      isComplete && startPageKeys.isSuperset(of: record.start.map { cache.key(of: $0) ?? $0 })
    let retainedKeySet = Set(retainedKeys)
    let orderedKeys =
      isWhole || previousKeys.isEmpty
      ? reachedOrder + unreached
      : retainedKeys + reachedOrder.filter { !retainedKeySet.contains($0) }
    summary = CollectionSummary(
      name: record.name, pageCount: collection.pages.count,
      unreachedCount: isWhole ? unreached.count : 0)
    let text = PageCollection.Order(of: orderedKeys).text
    let isStart = { [cache, startPageKeys] (url: String) in
      startPageKeys.contains(cache.key(of: url) ?? url)
    }
    if isComplete, record.unfinished != nil {
      record.finish(where: isStart)
      isRecorded = false
    }
    var refreshed = collection.record
    refreshed.finish(where: isStart)
    let isFinished = collectionRequest.isRefresh && isComplete && refreshed != collection.record
    return [LibraryChange(PageCollection.key(of: id), .order, text)]
      + (isRecorded ? [] : try description()) + (isFinished ? [collection.change(refreshed)] : [])
  }
}

extension PageCollection {
  /// Returns a name in a form for comparisons, which ignores case, accents and the amount of white
  /// space.
  static func folded(_ name: String) -> String {
    TextFolding.folded(name).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
