import Foundation

/// What files that this machine did not write may say.
extension ArchiveEvent {
  /// So far, in milliseconds, may the clock of another machine be ahead of ours.
  private static let wrongClock: Int64 = 86_400_000

  /// The event as a file from elsewhere tells it.
  /// - Parameter latest: when that was first seen here, in milliseconds since 1970.
  /// - Returns: the same without a date later than that; a version that says it is from the future comes
  ///   after all others.
  func foreign(seen latest: Int64) -> ArchiveEvent {
    let end = Date(milliseconds: latest)
    func settled(_ version: ArchivedVersion) -> ArchivedVersion {
      var version = version
      let said = max(version.order, version.stored.contentDate.milliseconds)
      version.order = said > latest + Self.wrongClock ? 0 : min(version.order, latest)
      version.stored.requestTime = min(version.stored.requestTime, end)
      version.stored.responseTime = min(version.stored.responseTime, end)
      version.stored.contentDate = min(version.stored.contentDate, end)
      return version
    }
    switch self {
    case .version(let version): return .version(settled(version))
    case .revisit(var revisit):
      revisit.version = settled(revisit.version)
      revisit.originalDate = revisit.originalDate.map { min($0, latest) }
      return .revisit(revisit)
    case .check(let check, let id, let key, let place):
      return .check(
        .init(date: min(check.date, end), result: check.result), id: id, key: key, place: place)
    case .invalidation(let date, let key): return .invalidation(min(date, end), key: key)
    case .entry(let date, let address, let key):
      return .entry(min(date, end), address: address, key: key)
    case .doubt, .varying, .removal: return self
    }
  }
}
