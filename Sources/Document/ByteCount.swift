/// Numbers in words: of bytes, in powers of 1000, and of other things.
package enum ByteCount {
  /// A number of bytes, for people: `999 B`, `96 kB`, `1.4 MB`, `12 GB`.
  /// - Parameter bytes: the number.
  /// - Returns: the number in the unit that leaves it at least 1, with tenths when it is below 10
  ///   and not of the smallest units.
  package static func text(_ bytes: some BinaryInteger) -> String {
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

  /// A number with its noun: `1 version`, `3 versions`.
  /// - Parameters:
  ///   - number: the number.
  ///   - noun: the noun, which has a regular plural.
  /// - Returns: both.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
