@testable import Configuration
import Foundation
import OfflineCache
import TestSupport
import Testing

@testable import Pages

/// Settings changed while offread runs.
@Suite struct SettingChangesTests {
  @Test func `a setting is shown and changed by its name`() throws {
    let directory = URL(fileURLWithPath: "/f")
    let settings = Settings()
    for (name, text) in [
      ("width", "50"), ("display.width", "50"), ("Width", "50"), ("color_code", "false"),
      ("color-code", "false"), ("patience", "1 min"), ("patience", "\"1 min\""),
      ("images.show", "auto"),
    ] {
      let changedSettings = try settings.setting(name, to: text, directory: directory)
      #expect(changedSettings != settings, "\(name)")
      #expect(try changedSettings.value(of: name) != settings.value(of: name))
    }
    #expect(try settings.value(of: "opener") == nil)
    for (name, text, content) in [
      ("width", "5", "width takes a number of columns from 20 to 500, not 5"),
      ("widht", "50", "there is no setting widht; did you mean width?"),
      ("host", "a.test", "host is set in [[reader]]; change it with :edit-settings"),
      ("cache.width", "50", "there is no setting cache.width"),
      ("", "x", "there is no setting "),
      ("mouse", "perhaps", "mouse takes true or false, not \"perhaps\""),
    ] {
      let mistake = #expect(throws: Settings.Mistake.self) {
        try settings.setting(name, to: text, directory: directory)
      }
      #expect(mistake?.text.hasPrefix(content) == true, "\(mistake?.text ?? "")")
    }
    for name in Settings.names { _ = try settings.value(of: name) }
  }

  @Test func `display settings apply immediately, and all others at the next start`() {
    var running = Settings()
    running.textWidth = 50
    let old = Settings()
    var new = old
    new.highlightsCode = false
    let isLive = !running.adopt(new, insteadOf: old)
    // An option of the command line is kept while its value in the file does not change.
    #expect(isLive && !running.highlightsCode && running.textWidth == 50)
    new.storage.versions = 3
    let isLater = running.adopt(new, insteadOf: old)
    #expect(isLater && running.storage == old.storage)
  }
}
