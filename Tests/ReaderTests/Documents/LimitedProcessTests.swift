import Foundation
import Testing

@testable import Sandbox

@Suite struct LimitedProcessTests {
  @Test func `input is passed to the program, and its output is returned`() throws {
    let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try LimitedProcess.run("cat", [], input: bytes) == bytes)
  }

  @Test func `a missing program is distinguished from one that fails`() {
    #expect(throws: LimitedProcess.Failure.missing) {
      try LimitedProcess.run("no-such-program-anywhere", [], input: [])
    }
    #expect(throws: LimitedProcess.Failure.failed(3)) {
      try LimitedProcess.run("sh", ["-c", "exit 3"], input: [UInt8](repeating: 1, count: 1 << 20))
    }
  }

  @Test func `a program with endless output is killed`() {
    var limits = LimitedProcess.Limits()
    limits.maxOutput = 1 << 20
    #expect(throws: LimitedProcess.Failure.outputTooLarge) {
      try LimitedProcess.run("yes", [], input: [], limits: limits)
    }
  }

  @Test func `a program that does nothing is killed`() {
    var limits = LimitedProcess.Limits()
    limits.maxSeconds = 1
    #expect(throws: LimitedProcess.Failure.timeLimitExceeded) {
      try LimitedProcess.run("sleep", ["1000"], input: [], limits: limits)
    }
  }

  @Test func `a limited program cannot write files, and does not see the user's environment`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("file")
    #expect(throws: LimitedProcess.Failure.self) {
      try LimitedProcess.run(
        "sh", ["-c", "cat > \"$1\"", "sh", file.path], input: Array("x".utf8))
    }
    #expect(try Data(contentsOf: file).isEmpty)
    let names = String(decoding: try LimitedProcess.run("env", [], input: []), as: UTF8.self)
    #expect(!names.contains("HOME="))
  }
}
