import Foundation
import TestSupport
import Testing

@testable import TerminalUI

@Suite struct ScriptTests {
  /// `UPDATE_GOLDEN=1` rewrites the screens of the scripts.
  @Test(arguments: GoldenCase.all(in: "Fixtures", extension: "script"))
  func `A script gives the screens that it says`(script: GoldenCase) throws {
    let written = String(decoding: try script.bytes(), as: UTF8.self)
    var run = ScriptRun(try ScriptFile(written))
    let actual = try run.text()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(actual.utf8).write(to: script.input)
    } else {
      #expect(actual == written, "\(script.name):\n\(actual)")
    }
  }

  @Test(arguments: Command.allCases)
  func `Every command is used in a script`(command: Command) throws {
    var used: Set<Key> = []
    for script in GoldenCase.all(in: "Fixtures", extension: "script") {
      for line in String(decoding: try script.bytes(), as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("keys ") {
        for name in line.split(separator: " ").dropFirst() {
          used.insert(try #require(Key(String(name)), "\(script.name): \(name)"))
        }
      }
    }
    #expect(!used.isDisjoint(with: Keymap().keys(of: command)), "no script uses \(command)")
  }
}
