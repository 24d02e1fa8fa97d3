import Dispatch
import Foundation
import OfflineCache
import Testing

@testable import Profiles

/// Concurrently imported files.
@Suite struct ArrivingFileTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("offread arriving \(UUID().uuidString)")

  @Test func `the longest of several concurrent versions of a file is kept`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let target = directory.appendingPathComponent("in").path
    let source = directory.appendingPathComponent("source").path
    let bytes = (0..<4000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try LocalFileSystem().makeDirectories(directory.path)
    try Data(bytes).write(to: URL(fileURLWithPath: source))
    for round in 0..<30 {
      let name = "\(round).journal"
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        let length = Int64(number == round % 8 ? bytes.count : 500 * number)
        #expect(throws: Never.self, "\(round), \(number)") {
          let file = try #require(try LocalFileSystem().openForReading(source))
          _ = try ArrivingFile(in: target).store(file, 0..<length, as: name, ending: ".journal")
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(name)")) == Data(bytes))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 30)
  }

  @Test func `a known file is recognized even if its directory is read-only`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let source = directory.appendingPathComponent("source").path
    try LocalFileSystem().makeDirectories(directory.path)
    try Data("a\nb\n".utf8).write(to: URL(fileURLWithPath: source))
    let file = try #require(try LocalFileSystem().openForReading(source))
    let arriving = try ArrivingFile(in: directory.appendingPathComponent("in").path)
    #expect(try arriving.store(file, 0..<2, as: "x", ending: "") == .added(as: "x"))
    #expect(try arriving.store(file, 0..<4, as: "x", ending: "") == .added(as: "x"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o400], ofItemAtPath: arriving.directory + "/x")
    #expect(try arriving.store(file, 0..<4, as: "x", ending: "") == .alreadyPresent(as: "x"))
    #expect(try arriving.store(file, 0..<2, as: "x", ending: "") == .alreadyPresent(as: "x"))
    let mode = try FileManager.default.attributesOfItem(atPath: arriving.directory + "/x")
    #expect(mode[.posixPermissions] as? Int == 0o400)
  }
}
