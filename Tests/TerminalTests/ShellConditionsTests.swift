import Foundation
import Testing

@testable import Terminal

@Suite struct ShellConditionsTests {
  @Test(
    arguments: [("true", true), ("test 1 = 2", false), ("kill -9 $$", false), ("/none", false)]
      as [(String, Bool)])
  func `a condition is true if its command succeeds`(_ line: String, isTrue: Bool) {
    #expect(ShellConditions().evaluate(line, within: 600) == isTrue)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a command that does not end in time is killed`() {
    let conditions = ShellConditions()
    #expect(!conditions.evaluate("sleep 600", within: 0.1))
    #expect(conditions.evaluate("true", within: 600))
  }

  @Test(.timeLimit(.minutes(1)))
  func `stopping kills a running command and its child processes`() throws {
    let pipe = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread-pipe-\(UUID().uuidString)").path
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let conditions = ShellConditions()
    let isEmpty = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
      var byte: UInt8 = 0
      if read(descriptor, &byte, 1) == 1 { conditions.stop() }
      // The pipe reaches its end when no process has it open.
      while read(descriptor, &byte, 1) > 0 {}
      close(descriptor)
      isEmpty.signal()
    }
    #expect(
      !conditions.evaluate("exec 3>'\(pipe)'; sleep 600 & echo >&3; wait", within: 600))
    isEmpty.wait()
    #expect(!conditions.evaluate("true", within: 600))
  }
}
