package import Foundation

extension HTTPCache {
  /// The versions of a URL without the redirects that replace nothing: those that came after a page,
  /// or after a redirect to one, and lead to no page that is saved and may stand in its place. What
  /// they came after was then checked in vain.
  func withoutDeadRedirects(_ captures: [StoredResponse]) -> [StoredResponse] {
    let good = captures.filter(\.isGood)
    guard good.count > 1, let newest = good.first, newest.isRedirect else { return captures }
    var search = SavedPageSearch(self)
    let dead = search.resolve(good, after: [newest.key]).dead
    guard !dead.isEmpty else { return captures }
    let gone = captures.filter { dead.contains($0.id) }
    return captures.filter { !dead.contains($0.id) }.map { capture in
      var capture = capture
      capture.noteDeadEnds(gone)
      return capture
    }
  }

  /// The saved page that a key gives, redirects followed, or nil.
  package func page(of key: String) -> StoredResponse? {
    var search = SavedPageSearch(self)
    return search.page(of: key)
  }

  /// Which of some keys give a saved page, or one of a seed, redirects followed.
  public func savedPages(among keys: [String]) -> Set<String> {
    Set(savedDates(among: keys).keys)
  }

  /// From when the saved page is that each of some keys gives, redirects followed; keys that give none are
  /// left out.
  package func savedDates(among keys: [String]) -> [String: Date] {
    let secured = keys.compactMap { key in securedKey(key).map { (plain: key, secured: $0) } }
    let asked = keys + secured.map(\.secured)
    var known = attempt { archive throws(ArchiveError) in try archive.contains(asked) } ?? []
    known = known.intersection(keys).union(
      secured.filter { known.contains($0.secured) }.map(\.plain))
    let seeded = seeds.known(of: keys.filter { !known.contains($0) })
    var dates: [String: Date] = [:]
    for key in known.union(seeded) { dates[key] = page(of: key)?.contentDate }
    return dates
  }

  /// The page that stands in for one that redirects give: what is saved under the URL that a request
  /// names, unless it belongs to somebody else's credentials.
  func fallbackPage(for request: WebRequest, at url: WebURL) -> StoredResponse? {
    guard let page = page(of: key(of: url)) else { return nil }
    let asked = url.withoutFragment.withoutCredentials
    let rewritten = RewrittenRequest(request, for: asked, by: configuration.rewrites)
    var request = request
    let requester = identify(&request, as: rewritten)
    guard vary.isVisible(page, to: requester) else { return nil }
    return vary.variants([page], for: request, by: requester).withheld.isEmpty ? page : nil
  }

  /// Distrusts what this device has saved of some URLs since a time: a captive portal may have answered.
  package func takeBack(
    _ urls: [String], since date: Date, because suspicion: Suspicion = .signInPage
  ) {
    for key in Set(urls.compactMap { key(of: $0) }) {
      let found = attempt { archive throws(ArchiveError) in try archive.known(of: key) } ?? []
      for capture in found
      where capture.isGood && capture.foreignFile == nil && capture.contentDate >= date {
        _ = attempt { archive throws(ArchiveError) in
          try archive.doubt(capture, because: suspicion, at: clock())
        }
      }
    }
  }

  /// Why what a redirect led to is not trusted to replace the page that was there before it.
  func doubt(_ target: StoredResponse, replacing page: StoredResponse) -> Suspicion? {
    guard target.key != page.key, target.payloadDigest != page.payloadDigest,
      let url = WebURL(target.key), let beginning = beginning(of: target)
    else { return nil }
    let answer = JudgedAnswer(
      response: target.response, url: url, beginning: beginning, length: target.length,
      isRedirected: true)
    return doubt(answer, replacing: page)
  }

  /// Why the content of an answer is not trusted to replace a page, or to be one.
  func doubt(_ answer: JudgedAnswer, replacing page: StoredResponse?) -> Suspicion? {
    Suspicion.judge(answer, replacing: page) {
      page.flatMap { beginning(of: $0) }.map { PageMarks($0) }
    }
  }

  private func beginning(of stored: StoredResponse) -> [UInt8]? {
    attempt { archive throws(ArchiveError) in
      let read = try reader(of: stored)
      var bytes: [UInt8] = []
      while bytes.count < Suspicion.examinedLength, let chunk = try read() { bytes += chunk }
      return Array(bytes.prefix(Suspicion.examinedLength))
    }
  }
}

extension StoredResponse {
  /// Puts right what the list of versions takes for newer versions of this one.
  fileprivate mutating func noteDeadEnds(_ redirects: [StoredResponse]) {
    let later = redirects.filter { $0.varying == varying && $0.contentDate >= contentDate }
    guard let check = lastCheck, check.result == .replaced,
      later.contains(where: { $0.contentDate == check.date }),
      let last = later.map(\.contentDate).max()
    else { return }
    lastCheck = Check(date: last, result: .failed(.badRedirect))
  }
}

/// Follows redirects from saved version to saved version.
private struct SavedPageSearch {
  /// The most redirects in a row.
  private static let hopLimit = 20

  private let cache: HTTPCache
  /// A maze of redirects is not searched to its end.
  private var lookupsLeft = 64

  init(_ cache: HTTPCache) {
    self.cache = cache
  }

  /// The page that a key gives; `path` are the keys that led to it.
  mutating func page(of key: String, after path: Set<String> = []) -> StoredResponse? {
    guard lookupsLeft > 0, path.count < Self.hopLimit, !path.contains(key) else { return nil }
    lookupsLeft -= 1
    if let secured = cache.securedKey(key), let page = page(of: secured, after: path.union([key])) {
      return page
    }
    let found = cache.attempt { archive throws(ArchiveError) in try archive.known(of: key) }
    let good = (found ?? []).filter(\.isGood)
    return resolve(good.isEmpty ? cache.seeded(key) : good, after: path.union([key])).page
  }

  /// The page that good versions of one key, newest first, give, and the ids of the redirects among
  /// them that do not count.
  mutating func resolve(
    _ good: [StoredResponse], after path: Set<String>
  ) -> (page: StoredResponse?, dead: Set<String>) {
    let pageIndex = good.firstIndex { !$0.isRedirect }
    var page = pageIndex.map { good[$0] }
    var dead: Set<String> = []
    for redirect in good[..<(pageIndex ?? good.endIndex)].reversed() {
      let target = Redirection.target(of: redirect.response, storedAs: redirect.key)
      let end = target.flatMap { self.page(of: cache.key(of: $0), after: path) }
      if let end, page.map({ cache.doubt(end, replacing: $0) == nil }) ?? true {
        page = end
      } else if page != nil {
        dead.insert(redirect.id)
      }
    }
    return (page, dead)
  }
}
