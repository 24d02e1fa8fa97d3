import Foundation

/// A finished run of a program.
struct Program {
  /// Exit code, or 128 + n after signal n.
  var status: Int32
  /// Standard output.
  var output: Data
  /// Standard error.
  var errorText: String

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The built `offread`, which lies beside the test bundle.
  static let offread: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("offread").path
  }()

  /// Runs a program to its end.
  /// - Parameters:
  ///   - name: a path, or a name to be found in `PATH`.
  ///   - arguments: its arguments.
  ///   - input: what it reads; nothing when nil.
  ///   - environment: variables on top of the tests' own; an empty value removes one.
  /// - Returns: what it wrote and how it ended.
  /// - Throws: when it cannot be started.
  static func run(
    _ name: String, _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
    process.environment = variables
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    let source = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread-input-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: source) }
    if let input {
      try input.write(to: source)
      process.standardInput = try FileHandle(forReadingFrom: source)
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    let collected = Collected()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      collected.errors = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    let code = process.terminationStatus
    return Program(
      status: process.terminationReason == .uncaughtSignal ? 128 + code : code, output: bytes,
      errorText: String(decoding: collected.errors, as: UTF8.self))
  }

  /// Written by one queue before the group is left, read after that only.
  private final class Collected: @unchecked Sendable {
    var errors = Data()
  }
}
