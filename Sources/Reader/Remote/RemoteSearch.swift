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

/// Looks for a page in the archives of others, and keeps what is found as captures that others have made. Its
/// calls block.
///
/// Nothing is told of pages of a private network, unless the archive is of one, too. Neither credentials nor
/// cookies of the page go with the questions, and what an archive answers is saved only where it is a capture.
package struct RemoteSearch: Sendable {
  private let profile: Profile
  private let options: LoadOptions
  /// How the page itself is loaded.
  private let asked: LoadOptions
  /// Told of every request, so that it can be cancelled.
  private let begins: @Sendable (Navigation) -> Void
  private let isCancelled: @Sendable () -> Bool

  /// The most captures that are tried: an archive goes on capturing pages that are gone.
  private static let mostTries = 4
  /// The most redirects, captured ones and the archive's own, that lead to a capture.
  private static let mostHops = 8
  /// The most further TimeMaps that are read.
  private static let mostParts = 3
  /// A longer TimeMap is read as far as that, in bytes.
  private static let longestTimeMap = 64 << 20
  /// The longest that the search in one archive takes, in seconds. Reading its TimeMap takes half of that at the
  /// most; what has come of it by then is used.
  package static let longestSearch = 30.0
  private let time: TimeInterval
  private var reading: TimeInterval { time / 2 }

  /// What was found.
  package struct Found: Sendable, Equatable {
    /// The page that was captured, which a captured redirect may have led to.
    package var url: String
    /// The version that holds it.
    package var id: String
    /// The archive.
    package var host: String
  }

  /// Prepares to search.
  /// - Parameters:
  ///   - profile: whose archive keeps what is found.
  ///   - options: the limits in time and size.
  ///   - time: the longest that the search in one archive takes, in seconds.
  ///   - begins: given every request, to cancel it.
  ///   - isCancelled: whether nobody waits any more.
  package init(
    profile: Profile, options: LoadOptions, time: TimeInterval = longestSearch,
    begins: @escaping @Sendable (Navigation) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.profile = profile
    self.time = time
    self.begins = begins
    self.isCancelled = isCancelled
    var limits = LoadOptions()
    limits.limitTotal(to: min(options.totalTimeout, Self.longestSearch))
    limits.connectTimeout = min(options.connectTimeout, limits.connectTimeout)
    limits.firstByteTimeout = min(options.firstByteTimeout, limits.firstByteTimeout)
    limits.stallTimeout = min(options.stallTimeout, limits.stallTimeout)
    limits.sizeLimit = min(options.sizeLimit, options.renderLimit)
    limits.mode = .networkOnly
    limits.allowsFallback = false
    limits.isUnattended = true
    self.options = limits
    asked = options
  }

  /// Whether an archive may be asked for a page.
  /// - Parameters:
  ///   - archive: which archive.
  ///   - page: the page.
  ///   - keeps: whether what it gives is to be saved.
  /// - Returns: where its TimeMap of the page is.
  /// - Throws: why it may not.
  package func permission(
    toAsk archive: RemoteArchive, for page: WebURL, keeps: Bool
  ) throws(RemoteFailure) -> WebURL {
    guard let url = archive.timeMap(of: page) else { throw .nothing }
    guard ![.cacheOnly, .networkOnly].contains(profile.cache.mode(for: page, asked)) else {
      throw .isOffline
    }
    guard profile.cache.isOnPublicNetwork(page) || !profile.cache.isOnPublicNetwork(url) else {
      throw .isPrivate
    }
    guard !keeps || !profile.cache.forbidsStoring(page) else { throw .isNotSaved }
    return url
  }

  /// The captures that an archive has of a page.
  /// - Parameters:
  ///   - page: the page.
  ///   - archive: which archive.
  /// - Returns: at least one.
  /// - Throws: why there are none.
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
    for part in map.others.suffix(Self.mostParts).reversed() where map.mementos.isEmpty {
      guard let next = WebURL(part.url), !isCancelled() else { continue }
      map.add(try readTimeMap(next, from: url, until: deadline))
    }
    guard !map.mementos.isEmpty else { throw .nothing }
    return map
  }

  /// Finds the capture of a page that is nearest to a date, and keeps it.
  /// - Parameters:
  ///   - page: the page.
  ///   - date: the date.
  ///   - archive: which archive is asked.
  /// - Returns: what was found.
  /// - Throws: why nothing was.
  package func find(
    _ page: WebURL, near date: Date, in archive: RemoteArchive
  ) throws(RemoteFailure) -> Found {
    let first = try permission(toAsk: archive, for: page, keeps: true)
    let start = DispatchTime.now()
    let map = try timeMap(at: first, until: start + reading)
    let deadline = start + time
    var failure = RemoteFailure.noCapture
    for memento in map.nearest(to: date, limit: Self.mostTries) where !isCancelled() {
      do throws(RemoteFailure) {
        let answers = try read(memento, of: page, from: first, until: deadline)
        return try keep(answers, of: page, from: archive)
      } catch {
        // What stands for the next one, too.
        switch error {
        case .load, .archive, .late, .isNotSaved: throw error
        case .isPrivate, .isOffline, .status, .nothing, .noCapture: failure = .noCapture
        }
      }
    }
    throw failure
  }

  // MARK: The network

  private func readTimeMap(
    _ url: WebURL, from first: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> TimeMap {
    var follower = follower(at: url, isPublicOnly: false)
    while true {
      let url = follower.url
      let reader = Mutex(TimeMapReader(base: url, now: Date()))
      var options = options(for: follower, from: first)
      options.sizeLimit = Int64(Self.longestTimeMap)
      let response = try load(url, options, accept: "application/link-format", until: deadline) {
        piece in reader.withLock { $0.take(piece) }
      }
      guard let head = response.head else { throw .late }
      if Redirection.isRedirect(head) {
        guard follow(head, with: &follower) else { throw .nothing }
        continue
      }
      guard head.status == 200 else { throw head.status == 404 ? .nothing : .status(head.status) }
      let map = reader.withLock { $0.finish() }
      if map.count == 0, map.others.isEmpty, let failure = response.failure { throw failure }
      return map
    }
  }

  /// Reads a capture, with the captured redirects that lead to it.
  private func read(
    _ memento: Memento, of page: WebURL, from first: WebURL, until deadline: DispatchTime
  ) throws(RemoteFailure) -> [MementoAnswer] {
    guard let start = WebURL(memento.rawURL) else { throw .noCapture }
    var follower = follower(at: start, isPublicOnly: false)
    var answers: [MementoAnswer] = []
    for _ in 0..<Self.mostHops where !isCancelled() {
      let url = follower.url
      let content = Mutex<[UInt8]>([])
      let response = try load(
        url, options(for: follower, from: first), accept: "*/*", until: deadline
      ) { piece in
        content.withLock { $0 += piece }
      }
      if let failure = response.failure { throw failure }
      guard let head = response.head else { throw .late }
      let asked = answers.last?.target ?? page
      guard var answer = MementoAnswer(head, from: url, asked: asked, now: Date()),
        answer.target != answer.originalURL
      else {
        // The archive itself leads from one date, or one form of the address, to another.
        guard Redirection.isRedirect(head), follow(head, with: &follower) else {
          throw .noCapture
        }
        continue
      }
      if answer.isContent {
        answer.content = content.withLock { $0 }
        // Nothing is no page.
        guard !answer.content.isEmpty,
          !profile.cache.isSignInForm(
            answer.content, answer.head, of: answer.originalURL, for: page)
        else { throw .noCapture }
        return answers + [answer]
      }
      guard !answers.contains(where: { $0.originalURL == answer.originalURL }),
        let target = answer.target, let next = Memento.url(of: target, beside: url)
      else { throw .noCapture }
      answers.append(answer)
      follower = self.follower(at: next, isPublicOnly: follower.isPublicOnly)
    }
    throw .noCapture
  }

  private func follower(at url: WebURL, isPublicOnly: Bool) -> RedirectFollower {
    RedirectFollower(
      WebRequest(url: url), isPublicOnly: isPublicOnly, isUnattended: true, limit: Self.mostHops)
  }

  /// Follows a redirect of an archive.
  /// - Returns: Whether it leads on.
  private func follow(_ head: ResponseHead, with follower: inout RedirectFollower) -> Bool {
    let isPublic = profile.cache.isOnPublicNetwork(follower.url)
    return (try? follower.follow(head, isSourcePublic: isPublic)) != nil
  }

  private struct Response {
    var head: ResponseHead?
    /// Why not all of it came.
    var failure: RemoteFailure?
  }

  /// Where a question may go: to the server of the archive, whatever its network, else to the public one.
  private func options(for follower: RedirectFollower, from archive: WebURL) -> LoadOptions {
    var options = options
    options.isPageNamed = follower.url.origin != archive.origin
    options.isPublicOnly = follower.isPublicOnly || options.isPageNamed
    return options
  }

  private func load(
    _ url: WebURL, _ options: LoadOptions, accept: String, until deadline: DispatchTime,
    take: @escaping @Sendable ([UInt8]) -> Void
  ) throws(RemoteFailure) -> Response {
    var request = WebRequest(url: url)
    request.fields.append("Accept", accept)
    // Without what an archive adds for browsers.
    request.fields.append("Prefer", "raw")
    // What is asked here is no page that was read.
    request.fields.append("Cache-Control", "no-store")
    let isOver = DispatchSemaphore(value: 0)
    let response = Mutex(Response())
    let navigation = profile.cache.startInSession(request, options: options, maxRedirects: 0) {
      event in
      switch event {
      case .response(let answer, _): response.withLock { $0.head = answer.response }
      case .data(let bytes): take(bytes)
      case .finished: isOver.signal()
      case .failed(let error):
        response.withLock { $0.failure = .load(error.text.line) }
        isOver.signal()
      case .redirected, .refreshed, .checked: break
      }
    }
    begins(navigation)
    if isOver.wait(timeout: deadline) == .timedOut {
      navigation.cancel()
      response.withLock { $0.failure = .late }
    }
    let result = response.withLock { $0 }
    if let failure = result.failure, result.head == nil || isCancelled() { throw failure }
    return result
  }

  // MARK: The archive

  private func keep(
    _ answers: [MementoAnswer], of page: WebURL, from archive: RemoteArchive
  ) throws(RemoteFailure) -> Found {
    guard let last = answers.last else { throw .noCapture }
    for answer in answers {
      let type = MediaType(answer.head.fields["Content-Type"]).essence
      let size = Int64(answer.content.count)
      if profile.cache.forbidsStoring(answer.originalURL, mediaType: type, size: size) {
        throw .isNotSaved
      }
    }
    do {
      let name = Self.fileName(of: answers, from: archive.host)
      let place = try ArrivingFile(in: profile.locations.archive.path)
      _ = try place.make(name) { sink in
        try MementoAnswer.write(answers, for: page, name: name, now: Date(), into: sink)
      }
      try profile.cache.archive.catchUp()
      let key = profile.cache.key(of: last.originalURL)
      let version = try profile.cache.archive.allVersions(of: key).first {
        $0.response.foreignFile == name
      }
      guard let version else { throw RemoteFailure.noCapture }
      return Found(
        url: last.originalURL.description, id: version.response.id, host: archive.host)
    } catch let error as ArchiveError {
      throw .archive(error)
    } catch let error as RemoteFailure {
      throw error
    } catch {
      throw .archive(.unwritable("\(error)"))
    }
  }

  /// `memento-HOST-DATE-DIGEST.warc.gz`; the same capture gives the same name.
  private static func fileName(of answers: [MementoAnswer], from host: String) -> String {
    var digest = DigestBuilder(.sha256)
    for answer in answers { digest.update("\(answer.originalURL) \(answer.date)\n".utf8) }
    digest.update(answers.last?.content ?? [])
    return MementoFile.name(
      ofArchive: host, date: answers.last?.date ?? .distantPast,
      digest: ArrivingFile.name(of: digest.digest().bytes))
  }
}
