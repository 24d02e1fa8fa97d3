import Foundation

/// Decides when the received part of a page is shown while the rest is on its way: after a pause of
/// the fallback delay, or when content has been arriving for twice as long.
struct ArrivalTiming {
  /// The length of a pause after which the part is shown, in seconds.
  let pause: TimeInterval
  /// The time when content was received first.
  var firstContentTime = ContinuousClock.now
  /// The time when content was received last.
  var lastContentTime = ContinuousClock.now
  /// The length of the content, in bytes, that was examined in the last pause.
  private var examinedLength = 0

  /// The minimum of `pause`.
  static let minPause = 1.0
  /// The minimum length of the text, in bytes, of a part that is shown while more of it arrives:
  /// about one screen.
  static let minArrivingTextLength = 1500

  enum Decision: Equatable {
    /// Decide again after a number of seconds.
    case wait(TimeInterval)
    /// Show the part if its text has at least this number of bytes.
    case show(minTextLength: Int)
  }

  /// Creates the timing of a load that begins now.
  /// - Parameter fallbackDelay: The fallback delay of the load, in seconds.
  init(fallbackDelay: TimeInterval) { pause = max(Self.minPause, fallbackDelay) }

  /// Decides whether the received part is shown.
  /// - Parameters:
  ///   - now: The current time.
  ///   - length: The length of the received content in bytes.
  ///   - isReadableInParts: Whether the type of the content allows a part to be shown that ends
  ///     anywhere, not just at a pause.
  /// - Returns: The decision.
  mutating func decide(
    at now: ContinuousClock.Instant, length: Int, isReadableInParts: Bool
  ) -> Decision {
    let age = { (time: ContinuousClock.Instant) in time.duration(to: now) / Duration.seconds(1) }
    let pauseRest = pause - age(lastContentTime)
    guard pauseRest > 0 else {
      guard length > examinedLength else { return .wait(Self.minPause) }
      examinedLength = length
      return .show(minTextLength: 0)
    }
    guard isReadableInParts else { return .wait(max(pauseRest, Self.minPause)) }
    let arrivalRest = 2 * pause - age(firstContentTime)
    if arrivalRest <= 0 { return .show(minTextLength: Self.minArrivingTextLength) }
    return .wait(max(min(arrivalRest, pauseRest), Self.minPause))
  }
}
