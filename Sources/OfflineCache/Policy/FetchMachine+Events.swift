import Foundation

extension FetchMachine {
  /// An event of a load.
  enum Event: Sendable, Equatable {
    /// A request was sent; `isPatient` unless it is a background revalidation from the start.
    case sent(isPatient: Bool)
    /// The request was not sent because of this failure. The reason allows serving the fallback
    /// response.
    case refused(TransportFailure, fallback: CopyReason?)
    /// The head of the response was received.
    case response(CachePolicy.Outcome, hasFallback: Bool, at: Date)
    /// The content cannot be buffered because the disk is full.
    case bufferFailed
    /// The response is complete; nil if its head was never received.
    case completed(CompletedResponse?)
    /// The exchange failed. The reason allows serving the fallback response.
    case failed(TransportFailure, fallback: CopyReason?, at: Date)
    /// The time after which a fallback response is served has passed.
    case delayExpired
    /// The head of a response that is not streamed was delivered to the client.
    case answered
    /// The content was delivered completely (`finished`), or cannot be delivered (`failed`).
    case contentEnded(CacheEvent)
    /// The redirects of a background revalidation ended with this result.
    case redirectsEnded(CacheEvent)
    /// The client cancelled the load.
    case cancelled
    /// The cache stops the load.
    case aborted
  }

  /// A complete response, compared with the stored ones.
  struct CompletedResponse: Sendable, Equatable {
    /// The version that was saved.
    var saved: StoredResponse?
    /// The time at which the response was received.
    var date: Date
    /// The reason to reject it as the new version of its URL.
    var suspicion: Suspicion?
    /// The reason to reject it as a replacement for the page saved before the redirects.
    var targetSuspicion: Suspicion?
    /// Whether a fallback response may be served instead.
    var hasFallback = false
    /// Whether the page saved before the redirects may be served instead.
    var hasFallbackPage = false
    /// Whether it redirects to another URL than the stored response.
    var redirectsElsewhere = false
    /// Whether it is good and its content differs from the stored response.
    var isNewContent = false
  }

  /// An action of the driver. It may cause further events while it is performed, so it is always
  /// the last one of those that do.
  enum Action: Sendable, Equatable {
    /// Start the time after which the fallback response is served.
    case startTimer
    /// Stop that time.
    case stopTimer
    /// Serve the fallback response if the content pauses for too long.
    case watchPauses
    /// Repeat the request without conditions.
    case requestAgain
    /// Repeat the request, and do not use stored responses.
    case requestWithoutFallback
    /// Receive the content of the response.
    case receive(Reception, isStored: Bool, Suspicion?)
    /// Update the stored response that a 304 response confirmed, and serve it if `isServed`.
    case confirm(StoredResponse, ResponseHead, isServed: Bool)
    /// Record the result of an attempt to revalidate the fallback response.
    case record(StoredResponse.Check)
    /// Serve the fallback response.
    case serveFallback(CopyReason)
    /// Serve the page that was saved before the redirects.
    case serveFallbackPage(Suspicion)
    /// Serve the response that was buffered.
    case serveBuffer
    /// Load the target of the redirect that a background revalidation received.
    case followRedirect
    /// Deliver an event to the client.
    case report(CacheEvent)
    /// Deliver no more content.
    case dropContent
    /// Leave the exchange and stop loading the target of a redirect.
    case stopExchange
    /// Release everything; no event follows.
    case end
  }

  /// The use of a response that is being received.
  enum Reception: Sendable, Equatable {
    /// It is delivered as it arrives.
    case streaming
    /// It is delivered or compared when it is complete.
    case buffering
    /// It is stored at most.
    case discarding
  }
}
