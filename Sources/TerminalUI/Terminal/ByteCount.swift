/// Numbers in words: of bytes, in powers of 1000, and of other things.
package enum ByteCount {
  /// A number of bytes: `999 B`, `51.2 kB`, `3.1 GB`.
  package static func text(_ bytes: Int64) -> String {
    guard bytes.magnitude >= 1000 else { return "\(bytes) B" }
    var value = Double(bytes) / 1000
    var units = ["kB", "MB", "GB", "TB"][...]
    while value.magnitude >= 999.95, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    let tenths = Int((value.magnitude * 10).rounded())
    return "\(bytes < 0 ? "-" : "")\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
  }

  /// A number with its noun: `1 version`, `3 versions`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
