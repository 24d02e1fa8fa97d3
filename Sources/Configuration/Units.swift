import Foundation

/// Numbers with units in settings.
package enum Units {
  /// The name of a unit and its factor.
  private typealias Unit = (name: String, factor: Double)

  private static let timeUnits: [Unit] = [
    ("w", 604_800), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1),
  ]
  private static let sizeUnits: [Unit] = [
    ("GiB", 1_073_741_824), ("MiB", 1_048_576), ("KiB", 1024), ("GB", 1_000_000_000),
    ("MB", 1_000_000), ("kB", 1000), ("B", 1), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1000),
  ]

  /// Parses a time in seconds: a number, or a number with `s`, `min`, `h`, `d` or `w`; nil if it is
  /// invalid. Case is ignored.
  static func seconds(_ value: SettingValue) -> Double? {
    number(value, timeUnits)
  }

  /// Parses a size in bytes: a number, or a number with `B`, `kB`, `MB`, `GB`, `k`, `M`, `G`
  /// (powers of 1000) or `KiB`, `MiB`, `GiB` (powers of 1024); nil if it is invalid. Case is
  /// ignored.
  static func bytes(_ value: SettingValue) -> Int64? {
    number(value, sizeUnits).flatMap { Int64(exactly: $0.rounded()) }
  }

  /// Parses a size in bytes as the user types it: `20M`, `1.5 GB`; nil if it is invalid.
  package static func bytes(typed text: String) -> Int64? { bytes(.text(text)) }

  /// Parses a time in seconds as the user types it: `12h`, `1 w`; nil if it is invalid.
  package static func seconds(typed text: String) -> Double? { seconds(.text(text)) }

  /// Returns a time in the syntax of the settings file.
  static func text(seconds: Double) -> String { text(seconds, timeUnits, plain: "s") }

  /// Returns a size in the syntax of the settings file.
  static func text(bytes: Int64) -> String { text(Double(bytes), sizeUnits, plain: "B") }

  private static func number(_ value: SettingValue, _ units: [Unit]) -> Double? {
    switch value {
    case .integer(let number): return number >= 0 ? Double(number) : nil
    case .number(let number): return number.isFinite && number >= 0 ? number : nil
    case .text(let text):
      let trimmed = text.trimmingCharacters(in: .whitespaces)
      let digits = trimmed.prefix { "0123456789.".contains($0) }
      let name = trimmed.dropFirst(digits.count).trimmingCharacters(in: .whitespaces).lowercased()
      guard let number = Double(digits), number.isFinite else { return nil }
      if name.isEmpty { return number }
      return units.first { $0.name.lowercased() == name }.map { number * $0.factor }
    default: return nil
    }
  }

  private static func text(_ number: Double, _ units: [Unit], plain: String) -> String {
    let unit = units.first { number >= $0.factor && number.remainder(dividingBy: $0.factor) == 0 }
    guard let unit, unit.name != plain, let count = Int64(exactly: number / unit.factor) else {
      return Int64(exactly: number).map(String.init) ?? String(number)
    }
    return TOMLText.quoted("\(count) \(unit.name)")
  }
}
