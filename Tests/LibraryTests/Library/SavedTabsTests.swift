import Foundation
import Library
import Testing

@Suite struct SavedTabsTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("tabs-\(UUID().uuidString)")

  private static func saved(_ names: String...) -> SavedTabs {
    SavedTabs(
      tabs: names.map { name in
        let step = SavedTabs.Step(
          url: "https://a.test/\(name)", title: name, anchor: nil, isReader: name == "r")
        return SavedTabs.Tab(past: [step, step], page: step)
      }, shownIndex: 1)
  }

  @Test func `tabs of a crashed process are restored once, and those of a running one are not`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: directory) }
    let running = SavedTabsDirectory(directory: directory, name: "running")
    try running.write(Self.saved("a", "b"))
    do {
      let crashed = SavedTabsDirectory(directory: directory, name: "crashed")
      try crashed.write(Self.saved("c", "d"))
      try crashed.write(Self.saved("c", "r"))
    }
    let next = SavedTabsDirectory(directory: directory, name: "next")
    let lost = next.recoverLost()
    #expect(lost.tabs == [Self.saved("c", "r")] && lost.damagedCount == 0)
    let again = next.recoverLost()
    #expect(again.tabs.isEmpty && again.damagedCount == 0)
    try running.write(nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test(arguments: ["", "{", "{\"tabs\":3}", "[]", "\u{0}"])
  func `a damaged file restores nothing, is counted and set aside`(text: String) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for end in ["json", "lock"] {
      try Data(text.utf8).write(to: directory.appendingPathComponent("x.\(end)"))
    }
    let lost = SavedTabsDirectory(directory: directory, name: "next").recoverLost()
    #expect(lost.tabs.isEmpty && lost.damagedCount == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names == ["x.json.damaged"])
    let kept = try Data(contentsOf: directory.appendingPathComponent("x.json.damaged"))
    #expect(String(decoding: kept, as: UTF8.self) == text)
    let again = SavedTabsDirectory(directory: directory, name: "later").recoverLost()
    #expect(again.tabs.isEmpty && again.damagedCount == 0)
  }

  @Test func `a file that cannot be read or is too long is counted and set aside`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    // A directory can be opened, but not read.
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("x.json/inner"), withIntermediateDirectories: true)
    try Data(repeating: 32, count: (4 << 20) + 1).write(
      to: directory.appendingPathComponent("y.json"))
    for name in ["x.lock", "y.lock", "z.lock"] {
      try Data().write(to: directory.appendingPathComponent(name))
    }
    let lost = SavedTabsDirectory(directory: directory, name: "next").recoverLost()
    #expect(lost.tabs.isEmpty && lost.damagedCount == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.sorted() == ["x.json.damaged", "y.json.damaged"])
  }

  @Test func `a process with a single page writes nothing`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let tabs = directory.appendingPathComponent("tabs")
    let saved = SavedTabsDirectory(directory: tabs, name: "x")
    try saved.write(nil)
    let lost = saved.recoverLost()
    #expect(lost.tabs.isEmpty && lost.damagedCount == 0)
    #expect(!FileManager.default.fileExists(atPath: tabs.path))
  }
}
