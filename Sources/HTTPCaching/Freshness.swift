public import Foundation

/// How long a stored response may be used, and how old it is (RFC 9111 §4.2). Seconds.
public struct Freshness: Sendable, Equatable {
  /// For how long the response is fresh, counted from its generation.
  public var lifetime: TimeInterval
  /// The time since its generation or its last validation.
  public var age: TimeInterval
  /// Whether the server said how long (false: the lifetime is a guess or zero).
  public var isExplicit: Bool

  /// Whether the response is fresh.
  public var isFresh: Bool { lifetime > age }

  /// The remaining lifetime in whole seconds, negative when stale.
  public var timeToLive: Int { Int((lifetime - age).rounded(.down)) }

  /// The longest lifetime that is guessed.
  public static let longestGuess: TimeInterval = 86_400

  /// Judges a stored response.
  public init(of stored: some CachedResponse, now: Date) {
    self.init(
      of: stored.response, requestTime: stored.requestTime, responseTime: stored.responseTime,
      now: now)
    if let ruled = stored.ruledLifetime {
      // Whatever an application sets; a number of seconds has to come of it.
      let longest = TimeInterval(DeltaSeconds.limit)
      (lifetime, isExplicit) = (ruled > 0 ? min(ruled, longest) : 0, true)
    }
  }

  /// Judges a response by its head and its times.
  public init(of response: ResponseHead, requestTime: Date, responseTime: Date, now: Date) {
    let dates = response.fields.values(of: "Date")
    let date = dates.first.flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    age = Self.age(
      of: response, date: date, requestTime: requestTime, responseTime: responseTime, now: now)

    // §4.2.1: the first that applies.
    switch CacheControl(response.fields).seconds("max-age") {
    case .value(let seconds):
      (lifetime, isExplicit) = (TimeInterval(seconds), true)
      return
    case .malformed:
      (lifetime, isExplicit) = (0, true)
      return
    case nil: break
    }
    let expires = response.fields.values(of: "Expires")
    if let first = expires.first {
      // §5.3: an invalid date, especially 0, is in the past; so are several different ones.
      let end = HTTPDate.parse(first, now: responseTime)
      let isUsable = expires.allSatisfy { $0 == first }
      lifetime = isUsable ? max(0, end.map { $0.timeIntervalSince(date) } ?? 0) : 0
      isExplicit = true
      return
    }
    isExplicit = false
    lifetime = Self.guess(response, date: date)
  }

  /// §4.2.2: heuristic freshness, at most 10 % of the age of Last-Modified.
  private static func guess(_ response: ResponseHead, date: Date) -> TimeInterval {
    let isAllowed =
      Storability.isHeuristicallyCacheable(response.status)
      || CacheControl(response.fields).contains("public")
    guard isAllowed, let text = response.fields.values(of: "Last-Modified").first,
      let modified = HTTPDate.parse(text, now: date)
    else { return 0 }
    return min(longestGuess, max(0, date.timeIntervalSince(modified)) / 10)
  }

  /// §4.2.3: the age, conservatively.
  private static func age(
    of response: ResponseHead, date: Date, requestTime: Date, responseTime: Date, now: Date
  ) -> TimeInterval {
    let apparent = max(0, responseTime.timeIntervalSince(date))
    let value = ageValue(of: response)
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    let initial = max(apparent, TimeInterval(value ?? 0) + delay)
    return initial + max(0, now.timeIntervalSince(responseTime))
  }

  /// §5.1: of several values the first counts, without parameters; what is no number is ignored.
  private static func ageValue(of response: ResponseHead) -> Int? {
    response.fields.values(of: "Age").first
      .flatMap { FieldList.texts($0).first }
      .map { String(decoding: $0.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) }
      .flatMap(DeltaSeconds.parse)
  }

  /// How old a response was, in seconds, when a shared cache gave it (§4.2.3, corrected_age_value); 0 when none
  /// says so.
  package static func receivedAge(
    of response: ResponseHead, requestTime: Date, responseTime: Date
  ) -> TimeInterval {
    guard let value = ageValue(of: response), value > 0 else { return 0 }
    return TimeInterval(value) + max(0, responseTime.timeIntervalSince(requestTime))
  }
}
