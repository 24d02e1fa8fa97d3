@testable import Configuration
import Foundation
import Document
import OfflineCache
import Testing

@testable import Pages

/// Choices made with keys that persist.
@Suite struct ChoicesTests {
  @Test func `a chosen theme applies until the configured theme changes`() {
    var choices = Choices()
    choices.apply(.theme("nord", insteadOf: nil))
    #expect(choices.theme(insteadOf: nil) == "nord")
    #expect(choices.theme(insteadOf: "gruvbox") == nil)
    choices.apply(.theme(nil, insteadOf: nil))
    #expect(choices.theme(insteadOf: nil) == nil)
  }

  @Test(
    arguments: [
      ("https://A.test/x?y", "a.test"), ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
      ("https://[::1]:8443/", "[::1]:8443"), ("https://a.test:443/", "a.test"),
      ("file:///srv/a.html", nil), ("about:manual", nil), ("https://*/", nil), ("x", nil),
    ] as [(String, String?)])
  func `a view is remembered by host and port`(url: String, site: String?) {
    #expect(Choices.site(of: url) == site)
  }

  @Test func `the view of a site takes precedence over the settings, and applies to no other site`()
    throws
  {
    var usual = ReadingPreference()
    (usual.view, usual.removedSelectors) = (.reader, [".promo"])
    var choices = Choices()
    let site = try #require(Choices.site(of: "http://a.test:81/"))
    choices.apply(.view(.page, site: site))
    let all = choices.readingPreferences + [usual]
    #expect(ReadingPreference.view(of: "http://a.test:81/other", all) == .page)
    #expect(ReadingPreference.view(of: "http://a.test/", all) == .reader)
    #expect(ReadingPreference.view(of: "http://b.test:81/", all) == .reader)
    choices.apply(.view(nil, site: site))
    #expect(choices.readingPreferences.isEmpty)
  }

  @Test func `whether comments are shown is remembered for a site`() throws {
    var choices = Choices()
    let site = try #require(Choices.site(of: "http://a.test:81/"))
    choices.apply(.comments(isOpen: true, site: site))
    #expect(choices.opensComments(of: "http://a.test:81/other"))
    #expect(!choices.opensComments(of: "http://a.test/") && !choices.opensComments(of: "about:x"))
    let stored = try JSONDecoder().decode(Choices.self, from: JSONEncoder().encode(choices))
    #expect(stored.opensComments(of: "http://a.test:81/"))
    choices.apply(.comments(isOpen: false, site: site))
    #expect(choices == Choices())
  }

  @Test func `the choices of two readers are merged, and a damaged file is set aside`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("state/choices.json")
    #expect(try ChoiceFile(file: file).choices == Choices())
    #expect(try !ChoiceFile(file: file).add(.theme("nord", insteadOf: "solarized")))
    #expect(try !ChoiceFile(file: file).add(.view(.reader, site: "a.test")))
    let read = try ChoiceFile(file: file).choices
    #expect(read.theme(insteadOf: "solarized") == "nord")
    let preferences = read.readingPreferences
    #expect(preferences.map(\.hosts) == [["a.test"]] && preferences.map(\.view) == [.reader])
    try Data().write(to: file)
    #expect(try ChoiceFile(file: file).choices == Choices())
    try Data("{\"views\":{\"a\":\"x\"}}".utf8).write(to: file)
    #expect(try ChoiceFile(file: file).choices.readingPreferences.allSatisfy { $0.view == nil })
    for garbage in ["{", "[]", "{\"theme\":3}"] {
      try Data(garbage.utf8).write(to: file)
      #expect(throws: ArchiveError.unreadable("\(file.path): the file is damaged")) {
        try ChoiceFile(file: file).choices
      }
    }
    #expect(try ChoiceFile(file: file).add(.theme("nord", insteadOf: nil)))
    let copy = try Data(contentsOf: file.appendingPathExtension("damaged"))
    #expect(String(decoding: copy, as: UTF8.self) == "{\"theme\":3}")
    #expect(try ChoiceFile(file: file).choices.theme(insteadOf: nil) == "nord")
  }
}
