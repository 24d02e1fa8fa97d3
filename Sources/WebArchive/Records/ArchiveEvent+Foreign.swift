import Foundation
import HTTPCaching

/// Adjusting events from files that other devices or programs wrote.
extension ArchiveEvent {
  /// The maximum time in milliseconds by which another device's clock may be ahead of the clock of
  /// this device.
  private static let maxClockSkew: Int64 = 86_400_000
  /// The earliest plausible time, in milliseconds since 1970: 1 January 2026. A clock that shows an
  /// earlier time has not been set.
  private static let earliestPlausibleTime: Int64 = 1_767_225_600_000

  /// Returns the event with plausible dates, for a file that another device or program wrote.
  /// - Parameter latest: the time at which the file was first seen on this device, in milliseconds
  ///   since 1970.
  /// - Returns: the event, in which later dates are replaced by `latest`, unless the clock of this
  ///   device was not set then. A version whose date is more than a day later has the date that its
  ///   server stated, or else is ordered as the oldest version.
  func withPlausibleDates(seen latest: Int64) -> ArchiveEvent {
    guard latest >= Self.earliestPlausibleTime else { return self }
    let end = Date(milliseconds: latest)
    func clamped(_ version: ArchivedVersion) -> ArchivedVersion {
      var version = version
      let time = version.stored.responseTime.milliseconds
      let maxTime = latest + Self.maxClockSkew
      if max(time, version.stored.contentDate.milliseconds) > maxTime {
        let advance = Self.advance(of: version.stored, until: end)
        version.order = advance.map { time - $0 } ?? 0
        version.stored.shiftDates(by: -TimeInterval(advance ?? 0) / 1000)
      } else if version.order > maxTime {
        // The clock was ahead when an earlier version was saved, and was right for this one.
        version.order = time
      }
      version.order = min(version.order, latest)
      version.stored.requestTime = min(version.stored.requestTime, end)
      version.stored.responseTime = min(version.stored.responseTime, end)
      version.stored.contentDate = min(version.stored.contentDate, end)
      return version
    }
    switch self {
    case .version(let version): return .version(clamped(version))
    case .revisit(var revisit):
      revisit.version = clamped(revisit.version)
      revisit.originalDate = revisit.originalDate.map { min($0, latest) }
      return .revisit(revisit)
    case .check(let check, let id, let key, let location):
      return .check(
        .init(date: min(check.date, end), result: check.result), id: id, key: key,
        location: location)
    case .invalidation(let date, let key): return .invalidation(min(date, end), key: key)
    case .entry(let date, let address, let key):
      return .entry(min(date, end), address: address, key: key)
    case .rejection, .varying, .demotion, .removal: return self
    }
  }

  /// Returns the time in milliseconds by which the clock of another device was ahead when it
  /// received a response, according to the server (`Date` and `Age`); nil if the server states no
  /// plausible time.
  private static func advance(of response: StoredResponse, until end: Date) -> Int64? {
    let fields = response.response.fields
    guard let date = fields["Date"].flatMap({ HTTPDate.parse($0, now: end) }) else { return nil }
    let age = fields["Age"].flatMap { DeltaSeconds.parse($0) } ?? 0
    let time = date.milliseconds + Int64(age) * 1000
    let advance = response.responseTime.milliseconds - time
    return time >= earliestPlausibleTime && time <= end.milliseconds && advance > maxClockSkew
      ? advance : nil
  }
}

extension StoredResponse {
  fileprivate mutating func shiftDates(by duration: TimeInterval) {
    requestTime += duration
    responseTime += duration
    contentDate += duration
  }
}
