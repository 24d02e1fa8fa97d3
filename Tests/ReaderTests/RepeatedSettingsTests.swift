import Foundation
import Testing

@testable import Configuration

/// Settings and tables that a file contains in two spellings.
@Suite struct RepeatedSettingsTests {
  @Test(arguments: [
    (
      "[cache]\nPatience = 1\n\npatience = 2",
      "config.toml:4: patience and Patience are the same setting"
    ),
    (
      "[cache]\npatience = 1\n[Cache]\nmode = \"cache-only\"",
      "config.toml:1: [cache] and [Cache] are the same table; join them"
    ),
  ])
  func `a repeated setting or table is reported`(_ text: String, _ message: String) {
    let directory = URL(fileURLWithPath: "/etc/offread", isDirectory: true)
    let reading = SettingsFile.parse(text, name: "config.toml", directory: directory)
    #expect(reading.mistakes.first?.hasPrefix(message) == true, "\(reading.mistakes)")
  }
}
