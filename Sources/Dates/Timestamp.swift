/// Whole numbers of a time since 1970 that was computed or that somebody else has written. They are held within the
/// years 1 to 9999, which every form of date here can write; not a number is 1970.
package enum Timestamp {
  /// Seconds since 1970, rounded down.
  package static func seconds(_ seconds: Double) -> Int {
    guard !seconds.isNaN else { return 0 }
    return Int(max(-62_135_596_800, min(seconds, 253_402_300_799)).rounded(.down))
  }

  /// Milliseconds since 1970 of a time in seconds, rounded.
  package static func milliseconds(_ seconds: Double) -> Int64 {
    guard !seconds.isNaN else { return 0 }
    return Int64((max(-62_135_596_800, min(seconds, 253_402_300_799)) * 1000).rounded())
  }
}
