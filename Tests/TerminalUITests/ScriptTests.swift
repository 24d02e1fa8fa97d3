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
    var names: Set<String> = []
    for script in GoldenCase.all(in: "Fixtures", extension: "script") {
      for line in String(decoding: try script.bytes(), as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        if words.first == "type", words.count > 1 { names.insert(words[1]) }
        guard words.first == "keys" else { continue }
        for name in words.dropFirst() {
          used.insert(try #require(Key(name), "\(script.name): \(name)"))
        }
      }
    }
    let isUsed = !used.isDisjoint(with: Keymap().keys(of: command))
    #expect(isUsed || names.contains(command.definition.name), "no script uses \(command)")
  }
}
