/// Formats numbers of bytes, in powers of 1000, and numbers of other items with their noun.
package enum CountFormatter {
  /// Returns a human-readable number of bytes: `999 B`, `96 kB`, `1.4 MB`, `12 GB`.
  ///
  /// The unit is the largest one, up to TB, in which the rounded number is at least 1. Numbers
  /// below 10 MB, GB or TB have one decimal place.
  package static func byteCountText(_ bytes: some BinaryInteger) -> String {
    let sign = bytes < 0 ? "-" : ""
    guard bytes.magnitude >= 1000 else { return "\(bytes) B" }
    var units = ["kB", "MB", "GB", "TB"][...]
    var value = Double(bytes.magnitude) / 1000
    while value >= 999.5, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    let tenths = Int((value * 10).rounded())
    let hasTenths = tenths < 100 && units.count < 4
    let number = hasTenths ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(sign)\(number) \(units.first ?? "")"
  }

  /// Returns a number with its noun: `1 version`, `3 versions`.
  /// - Parameters:
  ///   - number: The number.
  ///   - noun: The singular of a noun with a regular plural.
  /// - Returns: The number and the noun, in the plural unless the number is 1.
  package static func countText(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
