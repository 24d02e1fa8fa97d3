import Foundation
import TestSupport
import Testing

/// Data written by an earlier version is read without loss.
@Suite struct UpgradeTests {
  private static let profiles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/profiles")
  private static let site = "http://harbour.example/"

  /// Unpacks the data directory of a version, as if this device had written it.
  private static func sandbox(of version: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    let archive = profiles.appendingPathComponent("\(version).tar.gz").path
    let unpacked = try Program.run(
      "/usr/bin/env", ["tar", "-xzf", archive, "-C", sandbox.directory.path])
    #expect(unpacked.status == 0, "\(unpacked.errorText)")
    let files = FileManager.default
    try files.moveItem(
      atPath: sandbox.directory.appendingPathComponent("data-\(version)").path, toPath: sandbox.data
    )
    let other = sandbox.directory.appendingPathComponent("other").path
    let run = try sandbox.offread(
      "add", "--quiet", "http://other.example/", environment: ["OFFREAD_DATA_DIR": other])
    #expect(run.status == 0)
    func device(_ directory: String) throws -> String {
      try #require(
        try files.contentsOfDirectory(atPath: directory + "/state").first {
          $0.hasPrefix("machine-")
        })
    }
    try files.moveItem(
      atPath: "\(sandbox.data)/state/\(try device(sandbox.data))",
      toPath: "\(sandbox.data)/state/\(try device(other))")
    return sandbox
  }

  @Test func `everything in a profile of 0.1 is available`() throws {
    let sandbox = try Self.sandbox(of: "0.1.0")
    let list = try sandbox.offread("list")
    #expect(list.status == 0 && list.errorText.isEmpty)
    for text in ["Harbour office", "#sea", "read", "twelve parts", "Reading a tide table"] {
      #expect(list.text.contains(text), "\(text) in \(list.text)")
    }
    #expect(try sandbox.offread("list", "--queue").text.contains(Self.site + "later"))
    #expect(try sandbox.offread("list", "--feeds").text.contains("Notices"))
    let versions = try sandbox.offread("versions", Self.site + "tides").text
    #expect(versions.split(separator: "\n").count == 3 && versions.contains("yes"))
    #expect(try sandbox.offread("search", "twelfths").text.contains("tides"))
    let copy = try sandbox.offread("dump", "--offline", Self.site + "tides")
    #expect(copy.status == 0 && copy.text.contains("6.1"))
    let older = try sandbox.offread(
      "dump", "--offline", "--copy", "previous", Self.site + "tides")
    #expect(older.status == 0 && older.text.contains("5.9"))
    let verified = try sandbox.offread("archive", "verify")
    #expect(verified.status == 0, "\(verified.text)\(verified.errorText)")
    // Later changes are added to the library.
    #expect(try sandbox.offread("mark", "--tag", "new", Self.site).status == 0)
    #expect(try sandbox.offread("list", "--tag", "new").text.contains("Harbour office"))
  }

  @Test func `a page of 0.1 opens at its reading position`() throws {
    let sandbox = try Self.sandbox(of: "0.1.0")
    let screen = try sandbox.reader("--offline", Self.site + "tides", columns: 60, rows: 8)
    let rows = try screen.wait(for: "SAVED COPY")
    #expect(rows.contains { $0.contains("A tide table gives") }, "\(rows)")
    #expect(!rows.contains { $0.contains("━━━") }, "the heading is above what is shown: \(rows)")
  }

  @Test func `lost indexes of 0.1 are rebuilt from its files`() throws {
    let sandbox = try Self.sandbox(of: "0.1.0")
    for name in ["index.sqlite", "library.sqlite"] {
      try FileManager.default.removeItem(atPath: "\(sandbox.data)/\(name)")
    }
    #expect(try sandbox.offread("archive", "rebuild").status == 0)
    let list = try sandbox.offread("list").text
    #expect(list.contains("twelve parts") && list.contains("Harbour office"))
    #expect(
      try sandbox.offread("dump", "--offline", Self.site + "tides").text.contains("6.1"))
  }
}
