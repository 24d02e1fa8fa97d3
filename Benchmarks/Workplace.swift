import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary folder and what is used in it.
final class Workplace {
  /// How much room the largest row takes, in bytes.
  private static let neededSpace: UInt64 = 6 << 30

  /// The program that is measured.
  let offread: String
  /// This program.
  let bench: String
  /// The folder; it goes with everything in it.
  let folder: String
  private var server: (process: ChildProcess, address: String)?

  /// Makes the folder.
  init(offread: String) throws {
    self.offread = offread
    bench = CommandLine.arguments[0]
    var template = Array((NSTemporaryDirectory() + "/offread-bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchError("no temporary folder can be made in \(NSTemporaryDirectory())")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var space = statvfs()
    guard statvfs(folder, &space) == 0 else { throw BenchError("\(folder) cannot be used") }
    let free = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    guard free >= Self.neededSpace else {
      rmdir(folder)
      throw BenchError(
        "\(folder) has \(free >> 20) MB; \(Self.neededSpace >> 20) MB are needed: set TMPDIR")
    }
  }

  /// The address of the server, which starts when it is first needed.
  func address() throws -> String {
    if let server { return server.address }
    let process = try ChildProcess([bench, "serve", String(SaveRows.count)])
    guard let port = UInt16(process.firstLine()) else { throw BenchError("no server") }
    let address = "http://127.0.0.1:\(port)"
    server = (process, address)
    return address
  }

  /// A new empty folder.
  func newFolder(_ name: String) throws -> String {
    let path = "\(folder)/\(name)-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  /// Removes a folder and everything in it.
  func removeFolder(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Does part of the work in a process of its own.
  func work(_ arguments: String...) throws -> Usage {
    try ChildProcess.run([bench, "work"] + arguments)
  }

  /// Runs the measured program; what it says on standard error is shown or not.
  func runOffread(_ arguments: String..., data: String, isSilent: Bool = false) throws -> Usage {
    try ChildProcess.run([offread] + arguments + ["--data-dir", data], isSilent: isSilent)
  }

  /// Whether a program is there.
  static func isInstalled(_ program: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Ends the server and removes the folder.
  func remove() {
    if let server { _ = try? server.process.finish("the server") }
    removeFolder(folder)
  }
}
