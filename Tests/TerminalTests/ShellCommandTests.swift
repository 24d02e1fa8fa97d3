import Foundation
import Testing

@testable import Terminal

@Suite struct ShellCommandTests {
  /// Runs a line in the shell and returns its output.
  private func output(of line: String, _ environment: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      (["EDITOR": "printf '<%s>' -a \"\""], "<-a><><FILE>"),
      (["EDITOR": "echo"], "FILE\n"),
      (["EDITOR": "printf '<%s>' one\\ word 'two words'"], "<one word><two words><FILE>"),
      (["VISUAL": "printf '<%s>' v", "EDITOR": "false"], "<v><FILE>"),
      (["VISUAL": "", "EDITOR": "printf '<%s>' e"], "<e><FILE>"),
    ] as [([String: String], String)])
  func `the value of EDITOR is parsed as a command line, and the file name is not`(
    environment: [String: String], expected: String
  ) throws {
    let line = ShellCommand.editing([]).line(withFileIn: "NAME")
    for file in ["/tmp/a.txt", "/tmp/it's \"my\" $(false) `x` ; file"] {
      let environment = environment.merging(["NAME": file]) { $1 }
      let printed = expected.replacing("FILE", with: file)
      #expect(try output(of: line, environment) == printed)
    }
  }

  @Test(
    arguments: [
      (.file([]), 127, "the editor ended with exit code 127 (command not found)"),
      (.fileName("/a"), 126, "the editor ended with exit code 126 (command not executable)"),
      (.fileName("/a"), -9, "the editor ended with signal 9"),
      (.terminal, 3, "the program ended with exit code 3: mutt mailto:a@b.test"),
      (.terminal, 0, nil), (.file([]), 0, nil),
      // The output of these commands stays on the screen until the user presses Enter.
      (.text([]), 127, nil),
    ] as [(ShellCommand.Input, Int32, String?)])
  func `the failure of a program whose output is not shown is reported`(
    input: ShellCommand.Input, code: Int32, expected: String?
  ) {
    let command = ShellCommand(
      line: "mutt \"$OFFREAD_URL\"", input: input, url: "mailto:a@b.test",
      waitsForKeyAfterwards: false)
    #expect(command.failureMessage(code) == expected)
    #expect(ShellCommand(line: "x").failureMessage(code) == nil)
    #expect(ShellCommand(line: "", waitsForKeyAfterwards: false).failureMessage(code) == nil)
  }
}
