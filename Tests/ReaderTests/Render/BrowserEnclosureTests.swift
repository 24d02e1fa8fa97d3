import Testing

@testable import Rendering
@testable import Sandbox

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
    let tokens = enclosure.commandLine(for: "/usr/bin/chromium", directory: "/tmp/x")
    #expect(tokens.contains("--unshare-all") || tokens.contains("--net"))
    #expect(tokens.contains("--die-with-parent") || tokens.contains("--kill-child"))
    #expect(!tokens.contains { $0.contains("sandbox") })
    #expect(!tokens.contains("--share-net"))
    #expect(tokens.contains("--remote-debugging-pipe") && tokens.contains("--headless"))
    #expect(tokens.contains("--user-data-dir=/tmp/x/profile"))
  }

  @Test func `a browser sees system programs and itself, and no files of the user`() {
    let bound = { (browser: String) in
      BrowserEnclosure.bubblewrap("bwrap").commandLine(for: browser, directory: "/tmp")
    }
    #expect(!bound("/usr/bin/chromium").contains { $0 == "/" || $0.hasPrefix("/home") })
    #expect(bound("/home/p/chrome").filter { $0 == "/home/p/chrome" }.count == 3)
  }
}
