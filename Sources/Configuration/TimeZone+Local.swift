package import Foundation

extension TimeZone {
  /// The time zone of the user. `TZ` has forms that Foundation ignores, or reads with the opposite
  /// sign (POSIX, 8.3).
  package static let local = zone(
    named: getenv("TZ").map { String(cString: $0) }, offset: systemOffset, default: .current)

  /// Returns the time zone that a value of `TZ` means.
  /// - Parameters:
  ///   - value: The value: a name of the time zone database, which a colon or the directory of the
  ///     database may precede, or a rule of POSIX such as `JST-9`; nil if `TZ` is not set. An empty
  ///     value means UTC to the C library.
  ///   - offset: The present offset from UTC according to the C library, in seconds.
  ///   - systemZone: The default.
  /// - Returns: The time zone. For rules, unknown names and an empty value it has a fixed offset.
  static func zone(
    named value: String?, offset: @autoclosure () -> Int,
    default systemZone: @autoclosure () -> TimeZone
  ) -> TimeZone {
    guard let value else { return systemZone() }
    var name = value[...]
    if name.first == ":" { name.removeFirst() }
    if name == "/etc/localtime" { return systemZone() }
    for prefix in ["/usr/share/zoneinfo/", "posix/"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    // Foundation reads the offset of `UTC+3` with the opposite sign. Names such as `GB-Eire`
    // contain a hyphen, but no digit after it.
    let isRule =
      !name.contains("/")
      && zip(name, name.dropFirst()).contains { sign, next in
        (sign == "+" || sign == "-") && next.isNumber
      }
    if !isRule, !name.isEmpty, let named = TimeZone(identifier: String(name)) { return named }
    return TimeZone(secondsFromGMT: offset()) ?? systemZone()
  }

  /// The present offset from UTC according to the C library, in seconds.
  private static var systemOffset: Int {
    var now = time(nil)
    var parts = tm()
    return localtime_r(&now, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
  }
}
