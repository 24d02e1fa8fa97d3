public import Foundation

// The names of version 1.0.0, so that programs written for it compile.

extension CacheEntry {
  /// The former name of `lifetimeOverride`.
  @available(*, deprecated, renamed: "lifetimeOverride")
  public var ruledLifetime: Double? {
    get { lifetimeOverride }
    set { lifetimeOverride = newValue }
  }
}

extension Freshness {
  /// The former name of `maxHeuristicLifetime`.
  @available(*, deprecated, renamed: "maxHeuristicLifetime")
  public static var longestGuess: TimeInterval { maxHeuristicLifetime }
}
