import Pages
package import Profiles
package import Configuration
import Dispatch
import Document
import Formats
package import Exchange
package import Foundation
package import OfflineCache
import OfflineCacheURLSession
import Synchronization
import WARC

/// A search for a page in web archives (Memento, RFC 7089). The captures that it finds are saved.
/// All functions block.
///
/// URLs on a private network are sent only to archives on a private network. Requests carry neither
/// credentials nor cookies of the page, and only captures are saved.
package struct RemoteSearch: Sendable {
  private let profile: Profile
  private let options: LoadOptions
  /// The load options of the page itself.
  private let pageOptions: LoadOptions
  /// Called with each request, so that it can be cancelled.
  private let onRequest: @Sendable (Navigation) -> Void
  private let isCancelled: @Sendable () -> Bool

  /// Maximum number of captures that are tried, as an archive keeps capturing pages that are gone.
  private static let maxCaptures = 4
  /// Maximum number of redirects to a capture, whether captured or sent by the archive itself.
  private static let maxRedirects = 8
  /// Maximum number of further TimeMaps that are read.
  private static let maxParts = 3
  /// Maximum number of bytes that are read of a TimeMap.
  private static let maxTimeMapLength = 64 << 20
  /// Maximum duration of the search in one archive, in seconds. At most half of it is spent on
  /// TimeMaps; the part received by then is used.
  package static let maxSearchLength = 30.0
  private let time: TimeInterval
  private var reading: TimeInterval { time / 2 }

  /// The result of a search.
  package struct Found: Sendable, Equatable {
    /// The URL of the captured page, after captured redirects.
    package var url: WebURL
    /// The identifier of the saved version.
    package var id: String
    /// The host of the archive.
    package var host: String
  }

  /// Creates a search.
  /// - Parameters:
  ///   - profile: the profile whose archive stores the captures.
  ///   - options: limits of time and size, and the load options of the page.
  ///   - time: maximum duration of the search in one archive, in seconds.
  ///   - onRequest: called with each request, so that it can be cancelled.
  ///   - isCancelled: returns whether the search was cancelled.
  package init(
    profile: Profile, options: LoadOptions, time: TimeInterval = maxSearchLength,
    onRequest: @escaping @Sendable (Navigation) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.profile = profile
    self.time = time
    self.onRequest = onRequest
    self.isCancelled = isCancelled
    var limits = LoadOptions()
    limits.limitTotal(to: min(options.totalTimeout, Self.maxSearchLength))
    limits.connectTimeout = min(options.connectTimeout, limits.connectTimeout)
    limits.firstByteTimeout = min(options.firstByteTimeout, limits.firstByteTimeout)
    limits.stallTimeout = min(options.stallTimeout, limits.stallTimeout)
    limits.maxSize = min(options.maxSize, options.maxRenderedSize)
    limits.mode = .networkOnly
    limits.allowsFallback = false
    limits.isUnattended = true
    self.options = limits
    pageOptions = options
  }

  /// Checks whether a web archive may be queried for a page.
  /// - Parameters:
  ///   - archive: the archive.
  ///   - page: the URL of the page.
  ///   - keeps: whether the capture will be saved.
  /// - Returns: the URL of the TimeMap of the page.
  /// - Throws: the reason why the archive must not be queried.
  package func permission(
    toAsk archive: RemoteArchive, for page: WebURL, keeps: Bool
  ) throws(RemoteFailure) -> WebURL {
    guard let url = archive.timeMap(of: page) else { throw .noCaptures }
    guard ![.cacheOnly, .networkOnly].contains(profile.cache.mode(for: page, pageOptions)) else {
      throw .isOffline
    }
    guard profile.cache.isOnPublicNetwork(page) || !profile.cache.isOnPublicNetwork(url) else {
      throw .isPrivate
    }
    guard !keeps || !profile.cache.forbidsStoring(page) else { throw .isNotSaved }
    return url
  }

  /// Returns the captures that a web archive has of a page.
  /// - Parameters:
  ///   - page: the URL of the page.
  ///   - archive: the archive.
  /// - Returns: a TimeMap with at least one capture.
  /// - Throws: the reason why there is none.
  package func timeMap(
    of page: WebURL, in archive: RemoteArchive
  ) throws(RemoteFailure) -> TimeMap {
    let url = try permission(toAsk: archive, for: page, keeps: false)
    return try timeMap(at: url, until: .now() + reading)
  }

  private func timeMap(
    at url: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> TimeMap {
    var map = try readTimeMap(url, from: url, until: deadline)
    for part in map.furtherTimeMaps.suffix(Self.maxParts).reversed() where map.mementos.isEmpty {
      guard !isCancelled() else { continue }
      map.add(try readTimeMap(part.url, from: url, until: deadline))
    }
    guard !map.mementos.isEmpty else { throw .noCaptures }
    return map
  }

  /// Finds the capture of a page that is closest to a date, and saves it.
  /// - Parameters:
  ///   - page: the URL of the page.
  ///   - date: the preferred date.
  ///   - archive: the archive.
  /// - Returns: the capture.
  /// - Throws: the reason why no capture was found.
  package func find(
    _ page: WebURL, near date: Date, in archive: RemoteArchive
  ) throws(RemoteFailure) -> Found {
    let first = try permission(toAsk: archive, for: page, keeps: true)
    let start = DispatchTime.now()
    let map = try timeMap(at: first, until: start + reading)
    let deadline = start + time
    var failure = RemoteFailure.noCapture
    for memento in map.nearest(to: date, limit: Self.maxCaptures) where !isCancelled() {
      do throws(RemoteFailure) {
        let responses = try read(memento, of: page, from: first, until: deadline)
        return try save(responses, of: page, from: archive)
      } catch {
        // These failures would occur for the next capture as well.
        switch error {
        case .load, .archive, .timedOut, .isNotSaved: throw error
        case .isPrivate, .isOffline, .status, .noCaptures, .noCapture: failure = .noCapture
        }
      }
    }
    throw failure
  }

  // MARK: The network

  private func readTimeMap(
    _ url: WebURL, from archiveURL: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> TimeMap {
    var follower = follower(at: url, isPublicOnly: false)
    while true {
      let url = follower.url
      let reader = Mutex(TimeMapReader(base: url, now: Date()))
      var options = options(for: follower, from: archiveURL)
      options.maxSize = Int64(Self.maxTimeMapLength)
      let response = try load(url, options, accept: "application/link-format", until: deadline) {
        piece in reader.withLock { $0.parse(piece) }
      }
      guard let head = response.head else { throw .timedOut }
      if Redirection.isRedirect(head) {
        guard follow(head, with: &follower) else { throw .noCaptures }
        continue
      }
      guard head.status == 200 else {
        throw head.status == 404 ? .noCaptures : .status(head.status)
      }
      let map = reader.withLock { $0.finish() }
      if map.totalCount == 0, map.furtherTimeMaps.isEmpty, let failure = response.failure {
        throw failure
      }
      return map
    }
  }

  /// Reads a capture and the captured redirects that lead to it.
  private func read(
    _ memento: Memento, of page: WebURL, from archiveURL: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> [MementoResponse] {
    guard let start = WebURL(memento.rawURL) else { throw .noCapture }
    var follower = follower(at: start, isPublicOnly: false)
    var responses: [MementoResponse] = []
    for _ in 0..<Self.maxRedirects where !isCancelled() {
      let url = follower.url
      let (head, content) = try loadCapture(follower, from: archiveURL, until: deadline)
      let requestedURL = responses.last?.target ?? page
      guard var reply = MementoResponse(head, from: url, requested: requestedURL, now: Date()),
        reply.target != reply.originalURL
      else {
        // This is a redirect of the archive itself, to another date or another form of the URL.
        guard Redirection.isRedirect(head), follow(head, with: &follower) else {
          throw .noCapture
        }
        continue
      }
      if reply.isContent {
        reply.content = content
        // An empty response and the page of a captive portal are not captures.
        guard !reply.content.isEmpty,
          !profile.cache.isSignInForm(
            reply.content, reply.head, of: reply.originalURL, for: page)
        else { throw .noCapture }
        return responses + [reply]
      }
      guard !responses.contains(where: { $0.originalURL == reply.originalURL }),
        let target = reply.target, let next = Memento.rawURL(of: target, inArchiveOf: url)
      else { throw .noCapture }
      responses.append(reply)
      follower = self.follower(at: next, isPublicOnly: follower.isPublicOnly)
    }
    throw .noCapture
  }

  private func loadCapture(
    _ follower: RedirectFollower, from archiveURL: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> (head: ResponseHead, content: [UInt8]) {
    let content = Mutex<[UInt8]>([])
    let response = try load(
      follower.url, options(for: follower, from: archiveURL), accept: "*/*", until: deadline
    ) { piece in
      content.withLock { $0 += piece }
    }
    if let failure = response.failure { throw failure }
    guard let head = response.head else { throw .timedOut }
    return (head, content.withLock { $0 })
  }

  private func follower(at url: WebURL, isPublicOnly: Bool) -> RedirectFollower {
    RedirectFollower(
      WebRequest(url: url), isPublicOnly: isPublicOnly, isUnattended: true,
      maxRedirects: Self.maxRedirects
    )
  }

  /// Follows a redirect of a web archive.
  /// - Returns: whether the redirect is allowed.
  private func follow(_ head: ResponseHead, with follower: inout RedirectFollower) -> Bool {
    let isPublic = profile.cache.isOnPublicNetwork(follower.url)
    return (try? follower.follow(head, isSourcePublic: isPublic)) != nil
  }

  private struct Response {
    var head: ResponseHead?
    /// The reason why the response is incomplete; nil if it is complete.
    var failure: RemoteFailure?
  }

  /// Returns the options for a request. The server of the archive may be on any network; all other
  /// servers must be on the public network.
  private func options(for follower: RedirectFollower, from archive: WebURL) -> LoadOptions {
    var options = options
    options.isFromPage = follower.url.origin != archive.origin
    options.isPublicOnly = follower.isPublicOnly || options.isFromPage
    return options
  }

  private func load(
    _ url: WebURL, _ options: LoadOptions, accept: String, until deadline: DispatchTime,
    receive: @escaping @Sendable ([UInt8]) -> Void
  ) throws(RemoteFailure) -> Response {
    var request = WebRequest(url: url)
    request.fields.append("Accept", accept)
    // The field requests the capture without the additions that archives make for browsers.
    request.fields.append("Prefer", "raw")
    // TimeMaps and captures are not pages that the user read, so the cache must not store them.
    request.fields.append("Cache-Control", "no-store")
    let completion = DispatchSemaphore(value: 0)
    let collector = Mutex(ResponseCollector(maxLength: 0))
    let navigation = profile.cache.startInSession(request, options: options, maxRedirects: 0) {
      event in
      if case .data(let bytes) = event { receive(bytes) }
      let isLast = collector.withLock { collector in
        let hadResult = collector.result != nil
        collector.receive(event)
        return collector.result != nil && !hadResult
      }
      if isLast { completion.signal() }
    }
    onRequest(navigation)
    let isLate = completion.wait(timeout: deadline) == .timedOut
    if isLate { navigation.cancel() }
    let (head, result) = collector.withLock { ($0.response?.response, $0.result) }
    var response = Response(head: head, failure: isLate ? .timedOut : nil)
    if !isLate, case .failure(let error) = result { response.failure = .load(error.text.line) }
    if let failure = response.failure, head == nil || isCancelled() { throw failure }
    return response
  }

  // MARK: The archive

  private func save(
    _ responses: [MementoResponse], of page: WebURL, from archive: RemoteArchive
  ) throws(RemoteFailure) -> Found {
    guard let lastResponse = responses.last else { throw .noCapture }
    for response in responses {
      let type = MediaType(response.head.fields["Content-Type"]).essence
      let size = Int64(response.content.count)
      if profile.cache.forbidsStoring(response.originalURL, mediaType: type, size: size) {
        throw .isNotSaved
      }
    }
    do {
      let name = Self.fileName(of: responses, from: archive.host)
      let arrivingFile = try ArrivingFile(in: profile.locations.archive.path)
      _ = try arrivingFile.make(name) { sink in
        try MementoResponse.write(responses, for: page, name: name, now: Date(), into: sink)
      }
      try profile.cache.archive.catchUp()
      let key = profile.cache.key(of: lastResponse.originalURL)
      let version = try profile.cache.archive.allVersions(of: key).first {
        $0.response.importedFile == name
      }
      guard let version else { throw RemoteFailure.noCapture }
      return Found(url: lastResponse.originalURL, id: version.response.id, host: archive.host)
    } catch let error as ArchiveError {
      throw .archive(error)
    } catch let error as RemoteFailure {
      throw error
    } catch {
      throw .archive(.unwritable("\(error)"))
    }
  }

  /// Returns the file name `memento-HOST-DATE-DIGEST.warc.gz`, which is the same for the same
  /// capture.
  private static func fileName(of responses: [MementoResponse], from host: String) -> String {
    var digest = DigestBuilder(.sha256)
    for response in responses { digest.update("\(response.originalURL) \(response.date)\n".utf8) }
    digest.update(responses.last?.content ?? [])
    return MementoFile.name(
      ofArchive: host, date: responses.last?.date ?? .distantPast,
      digest: ArrivingFile.name(of: digest.digest().bytes))
  }
}
