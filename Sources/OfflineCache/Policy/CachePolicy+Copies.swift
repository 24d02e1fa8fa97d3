import Foundation

/// Decides about stored responses that are served instead of a response from the server.
extension CachePolicy {
  /// The handling of a stored response whose content cannot be read.
  enum UnreadableOutcome: Sendable, Equatable {
    /// The given fallback response is served.
    case serve(StoredResponse)
    /// The response of the server is awaited.
    case wait
    /// The load fails with the error.
    case fail
    /// The handling of the request is decided again, without the unreadable response.
    case decide
  }

  /// Decides how to handle a stored response whose content cannot be read.
  /// - Parameters:
  ///   - source: The source that the delivered response would have had.
  ///   - fallback: The fallback response selected without the unreadable one.
  ///   - isExchanging: Whether events of the server are expected.
  /// - Returns: The outcome.
  static func outcome(
    ofUnreadable source: LoadedResponse.Source, fallback: StoredResponse?, isExchanging: Bool
  ) -> UnreadableOutcome {
    guard case .saved(let reason) = source else { return .decide }
    switch reason {
    case .failure, .status, .suspect, .offlineMode:
      return fallback.map(UnreadableOutcome.serve) ?? .fail
    case .waiting: return fallback.map(UnreadableOutcome.serve) ?? .wait
    case .requested: return .fail
    case .preferred, .permitted:
      return isExchanging ? fallback.map(UnreadableOutcome.serve) ?? .wait : .decide
    }
  }

  /// Selects the version that the user requested. A redirect matches any selection, because it
  /// leads to the page whose version is requested.
  /// - Parameters:
  ///   - selection: The requested version, which is not the latest one.
  ///   - identified: The version with the requested ID, if the selection has one.
  ///   - visible: The stored responses for the URL, newest first.
  /// - Returns: The version; nil if it is not stored.
  static func chosenCopy(
    _ selection: CopySelection, identified: StoredResponse?, among visible: [StoredResponse]
  ) -> StoredResponse? {
    let chosen: StoredResponse? =
      switch selection {
      case .latest: nil
      case .previous: visible.dropFirst().first(where: \.isGood)
      case .id: identified
      }
    if let chosen { return chosen }
    guard let good = visible.first(where: \.isGood), good.isRedirect else { return nil }
    return good
  }

  /// Returns the maximum pause in seconds within the content before the fallback response is
  /// served; nil if pauses are not watched.
  static func pauseDelay(_ options: LoadOptions, fallback: StoredResponse?) -> TimeInterval? {
    guard !options.fallbackDelayCoversContent, fallbackDelay(options, fallback: fallback) != nil
    else { return nil }
    return options.pauseFallbackDelay
  }

  /// Decides whether to continue waiting after a fallback delay has passed.
  /// - Parameters:
  ///   - options: The options of the load.
  ///   - hasHead: Whether the response head was received, so that pauses within the content count.
  ///   - quiet: The time in seconds since data was last received.
  /// - Returns: The time in seconds to wait; nil if the fallback response is served now.
  static func furtherDelay(
    _ options: LoadOptions, hasHead: Bool, quiet: TimeInterval
  ) -> TimeInterval? {
    guard hasHead, !options.fallbackDelayCoversContent, let pause = options.pauseFallbackDelay,
      quiet < pause
    else { return nil }
    return pause - quiet
  }

  /// Determines the result of a background revalidation whose response was a redirect.
  /// - Parameters:
  ///   - event: The last event of the load of the target.
  ///   - head: The response to that load, if a head was received.
  ///   - copy: The copy that is revalidated.
  ///   - now: The current time.
  /// - Returns: The result, `refreshed` or `checked`.
  static func revalidationResult(
    of event: CacheEvent, _ head: LoadedResponse?, copy: StoredResponse?, now: Date
  ) -> CacheEvent {
    switch (head?.source, event) {
    case (.saved, _), (_, .failed):
      // The saved copy is unchanged, and the load of the target has recorded the reason for this.
      let check = head?.stored?.lastCheck ?? copy?.lastCheck
      return .checked(check ?? .init(date: now, result: .failed(.badRedirect)))
    case (_, .finished(let stored?))
    where stored.isGood && stored.payloadDigest != copy?.payloadDigest:
      return .refreshed(stored)
    default: return .checked(.init(date: now, result: .unchanged))
    }
  }
}

extension TransportFailure {
  /// The failure that is reported for redirects that lead to no page.
  static let badRedirect = TransportFailure(.badRedirect, "redirected to no page")
}
