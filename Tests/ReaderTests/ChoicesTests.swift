@testable import Configuration
import Foundation
import Document
import OfflineCache
import Testing

@testable import Reader

/// What is chosen with keys for good.
@Suite struct ChoicesTests {
  @Test func `a theme goes before that of the settings until those say something else`() {
    var choices = Choices()
    choices.take(.theme("nord", insteadOf: nil))
    #expect(choices.theme(insteadOf: nil) == "nord")
    #expect(choices.theme(insteadOf: "gruvbox") == nil)
    choices.take(.theme(nil, insteadOf: nil))
    #expect(choices.theme(insteadOf: nil) == nil)
  }

  @Test(arguments: [
    ("https://A.test/x?y", "a.test"), ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
    ("https://[::1]:8443/", "[::1]:8443"), ("https://a.test:443/", "a.test"),
    ("file:///srv/a.html", nil), ("about:manual", nil), ("https://*/", nil), ("x", nil),
  ])
  func `a view is kept under the host and its port`(url: String, site: String?) {
    #expect(Choices.site(of: url) == site)
  }

  @Test func `the view of a site goes before the settings, and no other site has it`() throws {
    var usual = ReadingPreference()
    (usual.view, usual.drops) = (.reader, [".promo"])
    var choices = Choices()
    let site = try #require(Choices.site(of: "http://a.test:81/"))
    choices.take(.view(.page, site: site))
    let all = choices.reading + [usual]
    #expect(ReadingPreference.view(of: "http://a.test:81/other", all) == .page)
    #expect(ReadingPreference.view(of: "http://a.test/", all) == .reader)
    #expect(ReadingPreference.view(of: "http://b.test:81/", all) == .reader)
    choices.take(.view(nil, site: site))
    #expect(choices.reading.isEmpty)
  }

  @Test func `choices of two readers are put together, and a damaged file is none`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("state/choices.json")
    #expect(ChoiceFile(file: file).choices == Choices())
    try ChoiceFile(file: file).add(.theme("nord", insteadOf: "solarized"))
    try ChoiceFile(file: file).add(.view(.reader, site: "a.test"))
    let read = ChoiceFile(file: file).choices
    #expect(read.theme(insteadOf: "solarized") == "nord")
    #expect(read.reading.map(\.hosts) == [["a.test"]] && read.reading.map(\.view) == [.reader])
    for garbage in ["", "{", "[]", "{\"theme\":3}", "{\"views\":{\"a\":\"x\"}}"] {
      try Data(garbage.utf8).write(to: file)
      #expect(ChoiceFile(file: file).choices.reading.allSatisfy { $0.view == nil })
    }
    try ChoiceFile(file: file).add(.theme("nord", insteadOf: nil))
    #expect(ChoiceFile(file: file).choices.theme(insteadOf: nil) == "nord")
  }
}
