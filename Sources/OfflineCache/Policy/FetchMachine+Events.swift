import Foundation

extension FetchMachine {
  /// An event of a load.
  enum Event: Sendable, Equatable {
    /// A request was sent. `usesFallbackDelay` is false if a copy is served at the same time, so
    /// that the fallback delay needs no timer.
    case sent(usesFallbackDelay: Bool)
    /// The request was not sent because of this failure. `fallback` is the reason to serve the
    /// fallback response; nil if it may not be served.
    case refused(TransportFailure, fallback: CopyReason?)
    /// The head of the response was received.
    case response(CachePolicy.Outcome, hasFallback: Bool, at: Date)
    /// The content cannot be buffered because the disk is full.
    case bufferFailed
    /// The response is complete; nil if its head was never received.
    case completed(CompletedResponse?)
    /// The exchange failed. `fallback` is the reason to serve the fallback response; nil if it may
    /// not be served.
    case failed(TransportFailure, fallback: CopyReason?, at: Date)
    /// The time after which a fallback response is served has passed.
    case delayExpired
    /// The head of a response that is not streamed was delivered to the client.
    case headDelivered
    /// The content was delivered completely (`finished`), or cannot be delivered (`failed`).
    case contentEnded(CacheEvent)
    /// The redirects of a background revalidation ended with this result.
    case redirectsEnded(CacheEvent)
    /// The client cancelled the load.
    case cancelled
    /// The background revalidation is no longer needed; the content of the copy still is.
    case revalidationStopped
    /// The cache stops the load.
    case aborted
  }

  /// A complete response, compared with the stored ones.
  struct CompletedResponse: Sendable, Equatable {
    /// The version that was saved; nil if the response was not saved.
    var saved: StoredResponse?
    /// The time at which the response was received.
    var date: Date
    /// The reason to reject the response as the new version of its URL; nil if it is trusted.
    var rejectionReason: RejectionReason?
    /// The reason to reject the response as a replacement for the page saved before the redirects;
    /// nil if it is trusted or there is no such page.
    var targetRejection: RejectionReason?
    /// Whether a fallback response may be served instead.
    var hasFallback = false
    /// Whether the page saved before the redirects may be served instead.
    var hasFallbackPage = false
    /// Whether the response redirects to another URL than the stored response does.
    var redirectsElsewhere = false
    /// Whether the response is good and its content differs from that of the stored response.
    var isNewContent = false
  }

  /// An action that the driver performs. If performing an action causes further events, that action
  /// is the last of its list.
  enum Action: Sendable, Equatable {
    /// Start the timer that ends the wait and causes the fallback response to be served.
    case startTimer
    /// Stop the timer for the fallback response.
    case stopTimer
    /// Serve the fallback response if the content pauses for too long.
    case watchPauses
    /// Repeat the request without conditions.
    case requestAgain
    /// Repeat the request, and do not serve stored responses.
    case requestWithoutFallback
    /// Receive the content of the response; store it if `isStored` is true. The rejection reason is
    /// nil if the response is trusted.
    case receive(Reception, isStored: Bool, RejectionReason?)
    /// Update the stored response that a 304 response confirmed, and serve it if `isServed` is
    /// true.
    case confirm(StoredResponse, ResponseHead, isServed: Bool)
    /// Record the result of an attempt to revalidate the fallback response.
    case record(StoredResponse.Check)
    /// Serve the fallback response.
    case serveFallback(CopyReason)
    /// Serve the page that was saved before the redirects.
    case serveFallbackPage(RejectionReason)
    /// Serve the response that was buffered.
    case serveBuffer
    /// Load the target of the redirect that a background revalidation received.
    case followRedirect
    /// Deliver an event to the client.
    case report(CacheEvent)
    /// Stop delivering content.
    case dropContent
    /// Leave the exchange and stop loading the target of a redirect.
    case stopExchange
    /// Release everything; no event follows.
    case end
  }

  /// What the content of a response is used for while it is received.
  enum Reception: Sendable, Equatable {
    /// The content is delivered as it arrives.
    case streaming
    /// The response is delivered or compared when it is complete.
    case buffering
    /// The response is not delivered, but may be stored.
    case discarding
  }
}
