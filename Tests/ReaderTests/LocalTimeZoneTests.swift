import Foundation
import Testing

@testable import Configuration

@Suite struct LocalTimeZoneTests {
  @Test(
    arguments: [
      ("America/St_Johns", "America/St_Johns"), (":America/St_Johns", "America/St_Johns"),
      ("/usr/share/zoneinfo/America/Port-au-Prince", "America/Port-au-Prince"),
      (":/usr/share/zoneinfo/Etc/GMT+5", "Etc/GMT+5"), ("posix/Asia/Tokyo", "Asia/Tokyo"),
      ("GB-Eire", "GB-Eire"), ("", nil), (":", nil),
      ("JST-9", nil), ("UTC+3", nil), ("<+0530>-5:30", nil), ("CET-1CEST,M3.5.0,M10.5.0/3", nil),
      ("no zone", nil), ("EST5", nil),
    ] as [(String, String?)])
  func `TZ names a time zone, or is a rule that the C library reads`(
    _ value: String, _ name: String?
  ) {
    let zone = TimeZone.zone(named: value, offset: 1800, default: .gmt)
    if let name {
      #expect(zone.identifier == name)
    } else {
      #expect(zone.secondsFromGMT() == 1800)
    }
  }

  @Test(arguments: [nil, "/etc/localtime", ":/etc/localtime"])
  func `without TZ, the time zone is that of the system`(_ value: String?) throws {
    let system = try #require(TimeZone(identifier: "Asia/Kathmandu"))
    #expect(TimeZone.zone(named: value, offset: 0, default: system) == system)
  }
}
