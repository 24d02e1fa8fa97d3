import Foundation
import Synchronization

/// Judging what came, and following where a refresh was sent.
extension CacheLoad {
  /// Why an answer that is complete is not trusted to be the new version of its own URL.
  func suspicion(of incoming: IncomingAnswer) -> Suspicion? {
    if options.trust == .accepted { return nil }
    if let suspicion = incoming.suspicion { return suspicion }
    // A part says nothing of the whole.
    guard (200..<300).contains(incoming.response.status), incoming.response.status != 206
    else { return nil }
    let good = incoming.isStored ? comparedCopy : nil
    let page = good.flatMap { $0.isRedirect ? cache.page(of: $0.key) : $0 }
    let digest = incoming.spool?.digest
    // The same page again needs no proof.
    if let page, page.payloadDigest == digest { return nil }
    var answer = judged(incoming)
    if let digest, answer.length > 0, answer.length <= PageAnswer.lengthLimit,
      Suspicion.isPage(answer.response)
    {
      answer.isRepeated = cache.noteAnswer(
        PageAnswer(
          url: request.url, digest: digest, savedDigest: page?.payloadDigest,
          date: incoming.responseTime))
    }
    return cache.doubt(answer, replacing: page)
  }

  /// The saved copy against which a response is checked, or nil.
  var comparedCopy: StoredResponse? {
    options.trust == .compared(withCopy: true) ? stored.matching.first(where: \.isGood) : nil
  }

  /// Why an answer is not trusted to replace the page that the redirects to it came after.
  func doubtOfTarget(_ incoming: IncomingAnswer) -> Suspicion? {
    guard let fallbackPage, fallbackPage.key != key, options.trust == .compared(withCopy: true),
      incoming.spool?.digest != fallbackPage.payloadDigest
    else { return nil }
    var answer = judged(incoming)
    answer.isRedirected = true
    return cache.doubt(answer, replacing: fallbackPage)
  }

  /// Answers with the page that the redirects came after.
  func useFallbackPage(to page: StoredResponse, because doubt: Suspicion) {
    fallbackPage = nil
    held = page
    record(.suspect(doubt), at: cache.clock())
    deliver(held ?? page, source: .saved(.suspect(doubt)))
  }

  private func judged(_ incoming: IncomingAnswer) -> JudgedAnswer {
    JudgedAnswer(
      response: incoming.response, url: request.url, beginning: incoming.beginning,
      length: incoming.spool?.length ?? Int64(incoming.beginning.count))
  }

  // MARK: Redirects behind a copy

  /// The refresh behind a copy was redirected. That counts when it leads to a page; so the target is
  /// loaded, too.
  func followInBackground(_ response: ResponseHead) {
    isNetworkDone = false
    var follower = RedirectFollower(
      request, isPublicOnly: options.isPublicOnly, isUnattended: options.isUnattended)
    do throws(LoadError) {
      try cache.follow(Answer(response: response, source: .network), with: &follower)
      loadInBackground(follower)
    } catch {
      abandonBackgroundRedirect(error)
    }
  }

  private func loadInBackground(_ follower: RedirectFollower) {
    var options = options
    options.isUserNamed = false
    options.isPublicOnly = follower.isPublicOnly
    options.patience = .infinity
    options.mode = .networkFirst
    let answer = RedirectEnd()
    let hop = follower.hop(options: options, fallbackPage: held.map { FallbackPage(page: $0) })
    backgroundRedirect = cache.load(hop) { event in
      if case .response(let head) = event { answer.head.withLock { $0 = head } }
      guard event.isEnd else { return }
      self.queue.async {
        guard self.backgroundRedirect != nil else { return }
        let head = answer.head.withLock(\.self)
        guard let head, Redirection.isRedirect(head.response) else {
          return self.endBackgroundRedirect(event, head)
        }
        var follower = follower
        do throws(LoadError) {
          try self.cache.follow(head, with: &follower)
          self.loadInBackground(follower)
        } catch {
          self.abandonBackgroundRedirect(error)
        }
      }
    }
  }

  /// Ends a background revalidation whose redirects lead to no page.
  private func abandonBackgroundRedirect(_ error: LoadError) {
    record(.failure(.badRedirect), at: cache.clock())
    endBackgroundRedirect(.failed(error))
  }

  private func endBackgroundRedirect(_ event: CacheEvent, _ head: Answer? = nil) {
    backgroundRedirect = nil
    isNetworkDone = true
    switch (head?.source, event) {
    case (.saved, _), (_, .failed):
      // The copy stays what it was; the target's load has written down why.
      let check = head?.stored?.lastCheck ?? held?.lastCheck
      followUp = .checked(check ?? .init(date: cache.clock(), result: .failed(.badRedirect)))
    case (_, .finished(let stored?))
    where stored.isGood && stored.payloadDigest != held?.payloadDigest:
      followUp = .refreshed(stored)
    default: followUp = .checked(.init(date: cache.clock(), result: .unchanged))
    }
    endIfDone()
  }

  /// The head of the answer at the end of the redirects.
  private final class RedirectEnd: Sendable {
    let head = Mutex<Answer?>(nil)
  }
}

extension CacheEvent {
  /// Whether nothing but a follow-up event is still to come.
  fileprivate var isEnd: Bool {
    switch self {
    case .finished, .failed: true
    case .response, .data, .refreshed, .checked: false
    }
  }
}

extension TransportFailure {
  /// The redirects lead to no page.
  static let badRedirect = TransportFailure(.badRedirect, "redirected to no page")
}
