import Foundation
import Library
import Testing

@Suite struct SavedTabsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tabs-\(UUID().uuidString)")

  private static func saved(_ names: String...) -> SavedTabs {
    SavedTabs(
      tabs: names.map { name in
        let step = SavedTabs.Step(
          url: "https://a.test/\(name)", title: name, anchor: nil, isReader: name == "r")
        return SavedTabs.Tab(past: [step, step], page: step)
      }, shown: 1)
  }

  @Test func `tabs of a crashed process are restored once, and those of a running one are not`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let running = SavedTabsFolder(folder: folder, name: "running")
    try running.write(Self.saved("a", "b"))
    do {
      let crashed = SavedTabsFolder(folder: folder, name: "crashed")
      try crashed.write(Self.saved("c", "d"))
      try crashed.write(Self.saved("c", "r"))
    }
    let next = SavedTabsFolder(folder: folder, name: "next")
    #expect(next.takeLost() == [Self.saved("c", "r")])
    #expect(next.takeLost().isEmpty)
    try running.write(nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: ["", "{", "{\"tabs\":3}", "[]", "\u{0}"])
  func `a damaged file restores nothing and is deleted`(text: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for end in ["json", "lock"] {
      try Data(text.utf8).write(to: folder.appendingPathComponent("x.\(end)"))
    }
    #expect(SavedTabsFolder(folder: folder, name: "next").takeLost().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a process with a single page writes nothing`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let tabs = folder.appendingPathComponent("tabs")
    let saved = SavedTabsFolder(folder: tabs, name: "x")
    try saved.write(nil)
    #expect(saved.takeLost().isEmpty && !FileManager.default.fileExists(atPath: tabs.path))
  }
}
