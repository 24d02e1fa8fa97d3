import Foundation
import TestSupport
import Testing

/// Work over a library in which a page crashes the program.
@Suite final class CrashingPageTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static let all = "http://a.test/1 http://a.test/2 http://a.test/3\n"
  private static let others = "http://a.test/1 http://a.test/3\n"

  private func search(_ fault: String, version: String = "1") throws -> Program {
    let program = URL(fileURLWithPath: Program.offread).deletingLastPathComponent()
      .appendingPathComponent("CrashingPages").path
    return try Program.run(program, [folder.path, version, fault])
  }

  private var left: [String] {
    let crashes = folder.appendingPathComponent("crashes").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: crashes)) ?? [])
      .filter { $0 != "crashes.json" }
  }

  @Test(arguments: ["trap", "stack", "segv", "abort"])
  func `a page on which two runs have died is left out by the third`(fault: String) throws {
    for _ in 0..<2 {
      let run = try search(fault)
      #expect(run.status != 0 && run.text.isEmpty)
      #expect(left.count == 1)
    }
    let third = try search(fault)
    #expect(third.status == 0)
    let line = "left out: http://a.test/2: offread 1 crashed on it twice"
    #expect(third.text.hasPrefix(Self.others + line))
    #expect(left.isEmpty)
    // Another version tries it again, and the page is there when that works.
    #expect(try search("none", version: "2").text == Self.all)
    #expect(try search("none", version: "2").text == Self.all)
  }

  @Test(arguments: ["interrupt", "terminate", "kill"])
  func `a page is not left out for runs that were ended from outside`(fault: String) throws {
    for _ in 0..<3 {
      let run = try search(fault)
      #expect(run.status != 0 && run.text.isEmpty)
    }
    #expect(try search("none").text == Self.all)
    #expect(left.isEmpty)
  }

  @Test func `a single death leaves nothing out`() throws {
    #expect(try search("trap").status != 0)
    #expect(try search("none").text == Self.all)
    #expect(left.isEmpty)
  }
}
