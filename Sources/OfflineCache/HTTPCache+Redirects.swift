package import Foundation

extension HTTPCache {
  /// Returns the versions of a URL without dead redirects. A redirect is dead if it was saved after
  /// a page (or after a redirect to a page) and does not lead to a saved page that may replace the
  /// earlier one. Dead redirects count as failed checks of the earlier version.
  func withoutDeadRedirects(_ captures: [StoredResponse]) -> [StoredResponse] {
    let goodCaptures = captures.filter(\.isGood)
    guard goodCaptures.count > 1, let newest = goodCaptures.first, newest.isRedirect else {
      return captures
    }
    var search = SavedPageSearch(self)
    let deadIDs = search.resolve(goodCaptures, after: [newest.key]).deadIDs
    guard !deadIDs.isEmpty else { return captures }
    let gone = captures.filter { deadIDs.contains($0.id) }
    return captures.filter { !deadIDs.contains($0.id) }.map { capture in
      var capture = capture
      capture.recordDeadRedirects(gone)
      return capture
    }
  }

  /// Returns the newest good version for each of several keys, for use in lists. Dead redirects,
  /// such as those to the sign-in page of a network, do not hide the page that was saved before.
  /// - Parameter keys: The keys; keys without a good version are skipped.
  /// - Returns: The versions by key.
  /// - Throws: `ArchiveError.unreadable`.
  package func newest(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: StoredResponse] {
    var newest = try archive.newest(of: keys)
    for (key, version) in newest where version.isRedirect {
      if let alive = try newestLiveVersion(of: key) { newest[key] = alive }
    }
    return newest
  }

  /// Returns the date and length of the versions that `newest` returns, faster.
  /// - Parameter keys: The keys; keys without a good version are skipped.
  /// - Returns: The contents by key.
  /// - Throws: `ArchiveError.unreadable`.
  package func newestContents(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: SavedContent] {
    var newest = try archive.newestContents(of: keys)
    for (key, content) in newest where content.isRedirect {
      if let alive = try newestLiveVersion(of: key) { newest[key] = SavedContent(alive) }
    }
    return newest
  }

  private func newestLiveVersion(of key: String) throws(ArchiveError) -> StoredResponse? {
    withoutDeadRedirects(try archive.indexedVersions(of: key)).first(where: \.isGood)
  }

  /// Returns the saved page for a key, or the page of a seed, following saved redirects; nil if
  /// they lead to no page.
  package func page(of key: String) -> StoredResponse? {
    var search = SavedPageSearch(self)
    return search.page(of: key)
  }

  /// Returns the keys of the pages to which the given keys redirect, following saved redirects.
  /// - Throws: `ArchiveError.unreadable`.
  package func redirectTargets(of keys: Set<String>) throws(ArchiveError) -> Set<String> {
    let newest = try archive.newest(of: keys)
    var targets: Set<String> = []
    for key in keys where newest[key]?.isRedirect ?? (securedKey(key) != nil) {
      if let page = page(of: key), page.key != key { targets.insert(page.key) }
    }
    return targets
  }

  /// Returns the given URLs that lead to a saved page or to a page of a seed, following saved
  /// redirects. Blocks on file access.
  public func savedPages(among urls: [WebURL]) -> Set<WebURL> {
    let keys = urls.map { (url: $0, key: key(of: $0)) }
    let saved = savedPages(among: keys.map(\.key))
    return Set(keys.filter { saved.contains($0.key) }.map(\.url))
  }

  /// Returns the given keys that lead to a saved page or to a page of a seed, following saved
  /// redirects. Blocks on file access.
  public func savedPages(among keys: [String]) -> Set<String> {
    Set(savedDates(among: keys).keys)
  }

  /// Returns the content dates, by key, of the saved or seeded pages to which the given keys lead,
  /// following saved redirects; keys without a page are omitted.
  package func savedDates(among keys: [String]) -> [String: Date] {
    let secured = keys.compactMap { key in securedKey(key).map { (plain: key, secured: $0) } }
    let requestedKeys = keys + secured.map(\.secured)
    var savedKeys =
      attempt { archive throws(ArchiveError) in try archive.contains(requestedKeys) } ?? []
    savedKeys = savedKeys.intersection(keys).union(
      secured.filter { savedKeys.contains($0.secured) }.map(\.plain))
    let missingKeys = keys.filter { !savedKeys.contains($0) }
    let spelled = savedSpellings(of: missingKeys).keys
    let seeded = seeds.seededKeys(of: missingKeys)
    var dates: [String: Date] = [:]
    for key in savedKeys.union(spelled).union(seeded) { dates[key] = page(of: key)?.contentDate }
    return dates
  }

  /// Returns the page that is saved under the requested URL and is served if the URL's redirects
  /// lead to no usable page; nil if no page is saved or it belongs to other credentials.
  func fallbackPage(for request: WebRequest, at url: WebURL) -> StoredResponse? {
    guard let page = page(of: key(of: url)) else { return nil }
    let requestedURL = url.withoutFragment.withoutCredentials
    let rewritten = RewrittenRequest(request, for: requestedURL, by: configuration.rewrites)
    var request = request
    let requester = identify(&request, as: rewritten)
    guard vary.isVisible(page, to: requester) else { return nil }
    return vary.variants([page], for: request, by: requester).withheld.isEmpty ? page : nil
  }

  /// Marks as untrusted the good versions that this device saved for the given URLs at or after a
  /// time, because a captive portal may have sent them.
  package func distrust(
    _ urls: [WebURL], since date: Date, reason rejectionReason: RejectionReason = .signInPage
  ) {
    for key in Set(urls.map { key(of: $0) }) {
      let found =
        attempt { archive throws(ArchiveError) in try archive.indexedVersions(of: key) } ?? []
      for capture in found
      where capture.isGood && capture.importedFile == nil && capture.contentDate >= date {
        _ = attempt { archive throws(ArchiveError) in
          try archive.markUntrusted(capture, reason: rejectionReason, at: clock())
        }
      }
    }
  }

  /// Marks the newest imported versions of a page as untrusted if they look like error pages or
  /// have hardly any text, but the version before them is a page with text.
  ///
  /// Other differences do not count, because a page may change completely in the years between two
  /// captures.
  package func distrustImportedErrors(of key: String) {
    guard let url = WebURL(key) else { return }
    let found =
      attempt { archive throws(ArchiveError) in try archive.indexedVersions(of: key) } ?? []
    let goodPages = found.filter { $0.isGood && !$0.isRedirect }
    for (index, version) in goodPages.prefix(Self.maxImportedErrors).enumerated() {
      let older = goodPages[(index + 1)...].first { $0.payloadDigest != version.payloadDigest }
      guard version.importedFile != nil, let older, let beginning = beginning(of: version)
      else { return }
      let response = CandidateResponse(
        response: version.response, url: url, beginning: beginning, length: version.length)
      guard let reason = rejection(response, replacing: older),
        reason == .errorPage || reason == .nearlyEmpty
      else { return }
      _ = attempt { archive throws(ArchiveError) in
        try archive.markUntrusted(version, reason: reason, at: clock())
      }
    }
  }

  /// The maximum number of imported versions of one page that are marked at once.
  private static let maxImportedErrors = 20

  /// Returns the reason to reject the target of a redirect as a replacement for the page saved
  /// before it; nil if it is trusted.
  func reasonToReject(_ target: StoredResponse, replacing page: StoredResponse) -> RejectionReason?
  {
    guard target.key != page.key, target.payloadDigest != page.payloadDigest,
      let url = WebURL(target.key), let beginning = beginning(of: target)
    else { return nil }
    let response = CandidateResponse(
      response: target.response, url: url, beginning: beginning, length: target.length,
      isRedirected: true)
    return rejection(response, replacing: page)
  }

  /// Returns the reason to reject the content of a response, either as a replacement for a page or
  /// as a page at all; nil if it is trusted.
  func rejection(_ response: CandidateResponse, replacing page: StoredResponse?) -> RejectionReason?
  {
    RejectionReason.validate(response, replacing: page) {
      page.flatMap { beginning(of: $0) }.map { PageTraits($0) }
    }
  }

  /// Returns whether content has the text of a saved page, either the same or with changes. A
  /// captive portal does not know that text.
  package func hasText(of page: StoredResponse, _ content: [UInt8]) -> Bool {
    guard RejectionReason.isPage(page.response), let beginning = beginning(of: page) else {
      return false
    }
    let new = PageTraits(Array(content.prefix(RejectionReason.examinedLength)))
    return new.isVersion(of: PageTraits(beginning))
  }

  private func beginning(of stored: StoredResponse) -> [UInt8]? {
    attempt { archive throws(ArchiveError) in
      let read = try reader(of: stored)
      var bytes: [UInt8] = []
      while bytes.count < RejectionReason.examinedLength, let chunk = try read() { bytes += chunk }
      return Array(bytes.prefix(RejectionReason.examinedLength))
    }
  }
}

extension StoredResponse {
  /// Changes the result of the last check to the failure `.badRedirect` if the check replaced this
  /// version with one of the given redirects, which lead to no page.
  fileprivate mutating func recordDeadRedirects(_ redirects: [StoredResponse]) {
    let later = redirects.filter { $0.varying == varying && $0.contentDate >= contentDate }
    guard let check = lastCheck, check.result == .replaced,
      later.contains(where: { $0.contentDate == check.date }),
      let last = later.map(\.contentDate).max()
    else { return }
    lastCheck = Check(date: last, result: .failed(.badRedirect))
  }
}

/// A search for the page to which a chain of saved redirects leads.
private struct SavedPageSearch {
  /// The maximum length of a redirect chain.
  private static let maxRedirects = 20

  private let cache: HTTPCache
  /// The remaining number of lookups, which limits the search among many redirects.
  private var remainingLookups = 64

  init(_ cache: HTTPCache) {
    self.cache = cache
  }

  /// Returns the page to which a key leads; nil if it leads to no page, or if a limit is reached.
  /// `path` contains the keys already visited.
  mutating func page(of key: String, after path: Set<String> = []) -> StoredResponse? {
    guard remainingLookups > 0, path.count < Self.maxRedirects, !path.contains(key) else {
      return nil
    }
    remainingLookups -= 1
    if let secured = cache.securedKey(key), let page = page(of: secured, after: path.union([key])) {
      return page
    }
    let indexedVersions = cache.attempt { archive throws(ArchiveError) in
      try archive.indexedVersions(of: key)
    }
    var goodVersions = (indexedVersions ?? []).filter(\.isGood)
    if goodVersions.isEmpty { goodVersions = cache.seedVersions(key) }
    if goodVersions.isEmpty, let spelling = cache.savedSpellings(of: [key])[key] {
      return page(of: spelling, after: path.union([key]))
    }
    return resolve(goodVersions, after: path.union([key])).page
  }

  /// Resolves the good versions of one key, given newest first.
  /// - Parameters:
  ///   - good: The good versions.
  ///   - path: The keys already visited.
  /// - Returns: The page to which they lead, and the IDs of the dead redirects among them.
  mutating func resolve(
    _ good: [StoredResponse], after path: Set<String>
  ) -> (page: StoredResponse?, deadIDs: Set<String>) {
    let pageIndex = good.firstIndex { !$0.isRedirect }
    var page = pageIndex.map { good[$0] }
    var deadIDs: Set<String> = []
    for redirect in good[..<(pageIndex ?? good.endIndex)].reversed() {
      let target = Redirection.target(of: redirect.response, storedAs: redirect.key)
      let end = target.flatMap { self.page(of: cache.key(of: $0), after: path) }
      if let end, page.map({ cache.reasonToReject(end, replacing: $0) == nil }) ?? true {
        page = end
      } else if page != nil {
        deadIDs.insert(redirect.id)
      }
    }
    return (page, deadIDs)
  }
}
