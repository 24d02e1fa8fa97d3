public import Foundation

/// Answers requests for a scheme of an application's own, such as `app:`.
///
/// Registered by `CacheConfiguration.register`. What it answers is handled as what a server
/// does: through a URLSession, and into the archive when it is registered so.
public protocol SchemeLoader: Sendable {
  /// Answers one request: gives the head to `reply`, then the content, and returns when it is
  /// complete. An error that is thrown means that there is no complete answer; what was saved before
  /// then answers, if there is anything.
  ///
  /// Runs in a task of its own, which is cancelled when nobody wants the answer any more or when a
  /// time limit of the load has passed.
  /// - Throws: what keeps the answer from being complete; a `TransportFailure` as it is, anything else as its kind `other`.
  func load(_ request: WebRequest, into reply: SchemeReply) async throws
}

/// What a `SchemeLoader` answers with.
public final class SchemeReply: Sendable {
  private let exchange: LoaderExchange

  init(_ exchange: LoaderExchange) {
    self.exchange = exchange
  }

  /// Gives the head of the answer, once, before any content.
  /// - Throws: `TransportFailure` when there was one already, or when nobody wants the answer.
  public func respond(_ response: ResponseHead) throws {
    try exchange.respond(response)
  }

  /// Gives a piece of the content, of any length, in its plain form; waits while the receiver has
  /// about 1 MB to work off.
  /// - Throws: `TransportFailure` when there was no head, when nobody wants the answer, or when it
  ///   is longer than the load allows.
  public func send(_ content: [UInt8]) async throws {
    try await exchange.send(content)
  }
}

/// Why a scheme cannot have a loader.
public enum SchemeError: Error, Sendable, Equatable {
  /// The scheme means something already: http and https go to the `Transport` of the cache, `about`
  /// to its seeds, and others are never loaded on behalf of a page.
  case reserved(String)
  /// The text is no scheme (RFC 3986 §3.1).
  case malformed(String)
}

extension SchemeError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .reserved(let scheme): "\(scheme) has a meaning of its own"
    case .malformed(let scheme): "\(scheme) is no scheme"
    }
  }
}

extension SchemeError: LocalizedError {
  /// The same line, for `localizedDescription`.
  public var errorDescription: String? { description }
}
