import Foundation

/// Adjusting events from files that other devices or programs wrote.
extension ArchiveEvent {
  /// The maximum time in milliseconds by which another device's clock may be ahead of the clock of
  /// this device.
  private static let maxClockSkew: Int64 = 86_400_000

  /// Returns the event with plausible dates, for a file that another device or program wrote.
  /// - Parameter latest: the time at which the file was first seen on this device, in milliseconds
  ///   since 1970.
  /// - Returns: the event, in which later dates are replaced by `latest`. A version whose date is
  ///   more than a day later is ordered as the oldest version.
  func withPlausibleDates(seen latest: Int64) -> ArchiveEvent {
    let end = Date(milliseconds: latest)
    func clamped(_ version: ArchivedVersion) -> ArchivedVersion {
      var version = version
      let statedTime = max(version.order, version.stored.contentDate.milliseconds)
      version.order = statedTime > latest + Self.maxClockSkew ? 0 : min(version.order, latest)
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
}
