@testable import Commands
import Foundation
import TestSupport
import Testing

@testable import TerminalUI

@Suite struct ScriptTests {
  /// `UPDATE_GOLDEN=1` rewrites the screens of the scripts.
  @Test(arguments: GoldenCase.all(in: "Fixtures", extension: "script"))
  func `a script produces its expected screens`(script: GoldenCase) throws {
    let written = String(decoding: try script.bytes(), as: UTF8.self)
    var run = ScriptRun(try ScriptFile(written))
    let actual = try run.text()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(actual.utf8).write(to: script.input)
    } else {
      #expect(actual == written, "\(script.name):\n\(actual)")
    }
  }

  @Test func `every command has a script that presses its key with a visible effect`() throws {
    var effective: Set<Command> = []
    for script in GoldenCase.all(in: "Fixtures", extension: "script") {
      var run = ScriptRun(try ScriptFile(String(decoding: try script.bytes(), as: UTF8.self)))
      _ = try run.text()
      effective.formUnion(run.effective)
    }
    let keyless = Command.allCases.filter { $0.definition.keys.isEmpty }
    #expect(
      keyless == [
        .tabs, .remote, .render, .exportHighlights, .fetchEnclosures, .set, .editSettings, .theme,
      ])
    let missing = Command.allCases.filter { !effective.contains($0) }
    #expect(missing.isEmpty, "no script presses the keys of \(missing)")
  }
}
