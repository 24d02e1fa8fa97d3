public import Foundation

/// The freshness lifetime and the age of a stored response (RFC 9111 §4.2), in seconds.
public struct Freshness: Sendable, Equatable {
  /// The freshness lifetime, counted from the generation of the response.
  public var lifetime: TimeInterval
  /// The time since the response was generated or last validated.
  public var age: TimeInterval
  /// Whether the server or a rule specified the lifetime; otherwise it is heuristic or zero.
  public var isExplicit: Bool

  /// Whether the response is fresh.
  public var isFresh: Bool { lifetime > age }

  /// The remaining lifetime in whole seconds, negative if stale.
  public var timeToLive: Int { Int((lifetime - age).rounded(.down)) }

  /// The maximum heuristic lifetime: a day, in seconds.
  public static let maxHeuristicLifetime: TimeInterval = 86_400

  /// The time in seconds by which the clock may have been set back since a response was received.
  /// A response that is dated later was received with a wrong clock, so its age is unknown and it
  /// is not fresh.
  private static let maxClockSkew: TimeInterval = 86_400

  /// Computes the freshness of a stored response.
  public init(of stored: some CachedResponse, now: Date) {
    self.init(
      of: stored.response, requestTime: stored.requestTime, responseTime: stored.responseTime,
      in: stored.cacheKind, now: now)
    if let ruled = stored.lifetimeOverride, !Self.isInFuture(stored.responseTime, now) {
      // Applications may set any value; the result must be a valid number of seconds.
      let longest = TimeInterval(DeltaSeconds.maxValue)
      (lifetime, isExplicit) = (ruled > 0 ? min(ruled, longest) : 0, true)
    }
  }

  /// Computes the freshness of a response from its head and its times.
  public init(
    of response: ResponseHead, requestTime: Date, responseTime: Date,
    in kind: CacheKind = .private, now: Date
  ) {
    let dates = response.fields.values(of: "Date")
    let date = dates.first.flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    age = Self.age(
      of: response, date: date, requestTime: requestTime, responseTime: responseTime, now: now)

    guard !Self.isInFuture(responseTime, now) else {
      (lifetime, isExplicit) = (0, false)
      return
    }

    // §4.2.1: the first of these directives that is present determines the lifetime.
    let control = CacheControl(response.fields)
    let sharedMaxAge = kind == .shared ? control.seconds("s-maxage") : nil
    switch sharedMaxAge ?? control.seconds("max-age") {
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
      // §5.3: an invalid date, especially 0, is in the past; so are several different dates.
      let expiryDate = HTTPDate.parse(first, now: responseTime)
      let isUsable = expires.allSatisfy { $0 == first }
      lifetime = isUsable ? max(0, expiryDate.map { $0.timeIntervalSince(date) } ?? 0) : 0
      isExplicit = true
      return
    }
    isExplicit = false
    lifetime = Self.heuristicLifetime(response, date: date)
  }

  private static func isInFuture(_ responseTime: Date, _ now: Date) -> Bool {
    responseTime.timeIntervalSince(now) > maxClockSkew
  }

  /// Returns the heuristic lifetime in seconds: 10 % of the time from `Last-Modified` to `date`,
  /// but at most `maxHeuristicLifetime` (§4.2.2). Returns 0 without a plausible `Last-Modified`,
  /// and if neither the status nor `public` allows a heuristic lifetime.
  private static func heuristicLifetime(_ response: ResponseHead, date: Date) -> TimeInterval {
    let isAllowed =
      Storability.isHeuristicallyCacheable(response.status)
      || CacheControl(response.fields).contains("public")
    guard isAllowed, let text = response.fields.values(of: "Last-Modified").first,
      let modified = HTTPDate.parse(text, now: date), modified >= HTTPDate.earliestModification
    else { return 0 }
    return min(maxHeuristicLifetime, max(0, date.timeIntervalSince(modified)) / 10)
  }

  /// Returns the current age, computed conservatively (§4.2.3).
  private static func age(
    of response: ResponseHead, date: Date, requestTime: Date, responseTime: Date, now: Date
  ) -> TimeInterval {
    let apparent = max(0, responseTime.timeIntervalSince(date))
    let value = ageValue(of: response)
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    let initial = max(apparent, TimeInterval(value ?? 0) + delay)
    return initial + max(0, now.timeIntervalSince(responseTime))
  }

  /// Parses the `Age` field: of several values the first is used, without parameters; an invalid
  /// one is ignored (§5.1).
  private static func ageValue(of response: ResponseHead) -> Int? {
    response.fields.values(of: "Age").first
      .flatMap { FieldList.memberTexts($0).first }
      .map { String(decoding: $0.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) }
      .flatMap(DeltaSeconds.parse)
  }

  /// The maximum plausible value of an `Age` field: ten years, in seconds.
  private static let maxPlausibleAge = 315_360_000

  /// Returns the age in seconds that a response had when it was received from a shared cache
  /// (corrected_age_value, §4.2.3); 0 without an `Age` field, or if its value is implausible.
  package static func receivedAge(
    of response: ResponseHead, requestTime: Date, responseTime: Date
  ) -> TimeInterval {
    guard let value = ageValue(of: response), (1...maxPlausibleAge).contains(value) else {
      return 0
    }
    return TimeInterval(value) + max(0, responseTime.timeIntervalSince(requestTime))
  }
}
