/// Conversion of computed or received times to integers. The results are clamped to the years 1 to
/// 9999, which every date format here supports; NaN becomes 1970.
package enum Timestamp {
  /// Returns seconds since 1970, rounded down.
  package static func clampedSeconds(_ seconds: Double) -> Int {
    guard !seconds.isNaN else { return 0 }
    return Int(max(-62_135_596_800, min(seconds, 253_402_300_799)).rounded(.down))
  }

  /// Returns milliseconds since 1970 for a time in seconds, rounded to nearest.
  package static func clampedMilliseconds(_ seconds: Double) -> Int64 {
    guard !seconds.isNaN else { return 0 }
    return Int64((max(-62_135_596_800, min(seconds, 253_402_300_799)) * 1000).rounded())
  }
}
