import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary directory and the programs used in it.
final class Workplace {
  /// The free space that the largest row needs, in bytes.
  private static let neededSpace: UInt64 = 6 << 30

  /// The path of the measured program.
  let offread: String
  /// The path of this program.
  let bench: String
  /// The temporary directory, which is removed with all its contents.
  let folder: String
  private var server: (process: ChildProcess, address: String)?

  /// Creates the directory.
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

  /// Returns the URL of the server, which is started when it is first needed.
  func address() throws -> String {
    if let server { return server.address }
    let process = try ChildProcess([bench, "serve", String(SaveRows.count)])
    guard let port = UInt16(process.firstLine()) else { throw BenchError("no server") }
    let address = "http://127.0.0.1:\(port)"
    server = (process, address)
    return address
  }

  /// Creates an empty directory and returns its path.
  func newFolder(_ name: String) throws -> String {
    let path = "\(folder)/\(name)-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    return path
  }

  /// Removes a directory with all its contents.
  func removeFolder(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Runs part of the work in a separate process.
  func work(_ arguments: String...) throws -> Usage {
    try ChildProcess.run([bench, "work"] + arguments)
  }

  /// Runs the measured program; its standard error is discarded if `isSilent`.
  func runOffread(_ arguments: String..., data: String, isSilent: Bool = false) throws -> Usage {
    try ChildProcess.run([offread] + arguments + ["--data-dir", data], isSilent: isSilent)
  }

  /// Returns whether a program is installed.
  static func isInstalled(_ program: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Terminates the server and removes the directory.
  func remove() {
    if let server { _ = try? server.process.finish("the server") }
    removeFolder(folder)
  }
}
