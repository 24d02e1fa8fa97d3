import Testing

@testable import Reader

@Suite struct BrowserEnclosureTests {
  @Test func `bubblewrap is preferred to unshare, and there is no enclosure without both`() {
    func found(_ names: Set<String>) -> BrowserEnclosure? {
      BrowserEnclosure.available { names.contains($0) ? "/x/\($0)" : nil }
    }
    #expect(found(["bwrap", "unshare"]) == .bubblewrap("/x/bwrap"))
    #expect(found(["unshare"]) == .unshare("/x/unshare"))
    #expect(found([]) == nil)
  }

  @Test(arguments: [BrowserEnclosure.bubblewrap("/b/bwrap"), .unshare("/b/unshare")])
  func `a browser has no network, keeps its sandbox, and ends with its parent`(
    _ enclosure: BrowserEnclosure
  ) {
    let words = enclosure.words(for: "/usr/bin/chromium", folder: "/tmp/x")
    #expect(words.contains("--unshare-all") || words.contains("--net"))
    #expect(words.contains("--die-with-parent") || words.contains("--kill-child"))
    #expect(!words.contains { $0.contains("sandbox") })
    #expect(!words.contains("--share-net"))
    #expect(words.contains("--remote-debugging-pipe") && words.contains("--headless"))
    #expect(words.contains("--user-data-dir=/tmp/x/profile"))
  }

  @Test func `a browser sees system programs and itself, and no files of the user`() {
    let bound = { (browser: String) in
      BrowserEnclosure.bubblewrap("bwrap").words(for: browser, folder: "/tmp")
    }
    #expect(!bound("/usr/bin/chromium").contains { $0 == "/" || $0.hasPrefix("/home") })
    #expect(bound("/home/p/chrome").filter { $0 == "/home/p/chrome" }.count == 3)
  }
}
