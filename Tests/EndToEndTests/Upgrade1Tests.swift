import Foundation
import TestSupport
import Testing
import WARC

/// This version reads everything that 1.0.0 wrote, with the same trust, and fetches nothing a
/// second time.
@Suite struct Upgrade1Tests {
  private static let harbour = "http://harbour.example"
  /// A URL that redirects. Since 1.1.0, the data that is printed for it is that of the page to
  /// which it leads.
  private static let redirecting = harbour + "/old"
  private static let lists = [nil, "queue", "feeds", "unread", "archived", "removed"]

  /// Checks that everything printed by 1.0.0 is still printed.
  private func expectNothingLost(
    of profile: EarlierProfile, _ location: SourceLocation = #_sourceLocation
  ) throws {
    for list in Self.lists {
      let (earlier, now) = try profile.lists(list)
      #expect(!earlier.pages.isEmpty, sourceLocation: location)
      let pages = now.byURL
      for page in earlier.pages {
        let url = try #require(page["url"])
        for (name, value) in page
        where url != .text(Self.redirecting) || !["saved", "size"].contains(name) {
          #expect(pages[url]?[name] == value, "\(name) of \(url)", sourceLocation: location)
        }
      }
    }
    for (url, shown) in try profile.shown() {
      let dumped = try profile.offread("dump", "--offline", "--full", url)
      #expect(dumped.status == shown.status, "\(url)", sourceLocation: location)
      let tokens = Set(dumped.text.split(whereSeparator: \.isWhitespace))
      let missing = shown.text.split(whereSeparator: \.isWhitespace).filter { !tokens.contains($0) }
      #expect(missing.isEmpty, "\(url)", sourceLocation: location)
      let versions = try profile.versions(of: url)
      let earlier = shown.versions?.versions ?? []
      let isRedirecting = url == Self.redirecting
      #expect(
        versions.count == earlier.count + (isRedirecting ? 1 : 0), "\(url)",
        sourceLocation: location)
      for version in earlier {
        let now = try #require(versions.first { $0["id"] == version["id"] })
        for name in ["date", "digest", "is_trusted", "is_current", "is_foreign", "status"]
        where !isRedirecting || name != "is_current" {
          #expect(now[name] == version[name], "\(name) of \(url)", sourceLocation: location)
        }
      }
    }
  }

  @Test func `everything in a profile of 1.0 is available`() throws {
    let profile = try EarlierProfile()
    try expectNothingLost(of: profile)
    #expect(profile.proxy.requests.isEmpty)
    let shown = try profile.shown()
    // The fixture covers the cases that the test is about.
    #expect(shown.values.count { $0.status == 0 } > 25)
    let versions = shown.values.flatMap { $0.versions?.versions ?? [] }
    #expect(versions.count { $0["is_trusted"] == .bool(false) } == 6)
    let verified = try profile.offread("archive", "verify")
    #expect(verified.status == 0, "\(verified.text)\(verified.errorText)")
  }

  @Test func `lost databases of 1.0 are rebuilt from its files`() throws {
    let profile = try EarlierProfile()
    for name in ["index.sqlite", "library.sqlite", "search.sqlite"] {
      try FileManager.default.removeItem(atPath: "\(profile.sandbox.data)/\(name)")
    }
    #expect(try profile.offread("archive", "rebuild").status == 0)
    try expectNothingLost(of: profile)
    let found = try profile.offread("search", "bowline")
    #expect(found.text.contains(Self.harbour + "/knots"), "\(found.text)")
  }

  @Test func `notes, highlights and settings of 1.0 are available`() throws {
    let profile = try EarlierProfile()
    let written = try profile.offread("export", "--format", "markdown", "--highlights", "--all")
    #expect(
      written.text.contains("> Book of pilots [open](<\(Self.harbour)/pilots#:~:text=")
        && written.text.contains(">)\n\nask the pilot\n"), "\(written.text)")
    for (text, url) in [("pilot", "/pilots"), ("edition", "/pilots"), ("Lamp 7", "/lamps")] {
      let found = try profile.offread("search", text)
      #expect(found.text.contains(Self.harbour + url), "\(text): \(found.text)")
    }
    let settings = try profile.offread("config")
    #expect(settings.status == 0 && settings.errorText.isEmpty, "\(settings.errorText)")
    for line in ["width = 68", "patience = 3", "interval = \"2 d\"", "feed_items = 20"] {
      #expect(settings.text.contains(line), "\(line)")
    }
  }

  @Test func `tabs, positions and bookmarks of 1.0 are restored`() throws {
    let profile = try EarlierProfile()
    let screen = try profile.reader("--offline", Self.harbour + "/pilots")
    // The page opens at its reading position, in the middle.
    try screen.wait(for: "buoy number 117")
    try screen.press("g")
    try screen.wait(for: "A pilot boards")
    try screen.press("'", "b")
    try screen.wait(for: "buoy number 117")
    try screen.type(":tabs\r")
    try screen.wait("the tabs of the crash") { rows in
      rows.contains { $0.contains("Harbour office") } && rows.contains { $0.contains("Tide table") }
    }
    try screen.press("q", "V")
    try screen.wait(for: "Slipway")
  }

  @Test func `a sync after the upgrade fetches no item and no page again`() throws {
    let profile = try EarlierProfile()
    let stored = try profile.shown().filter { $0.value.status == 0 }
    let unread = try profile.lists("unread").earlier.byURL.keys
    let read = [
      "http://gazette.example/bell", "http://gazette.example/quay", "http://log.example/first",
      "http://log.example/second",
    ]
    for url in read { #expect(!unread.contains(.text(url))) }
    for _ in 0..<2 {
      #expect(try profile.offread("sync", "--delay", "0").status != 2)
      let feeds = ["http://gazette.example/feed", "http://log.example/atom"]
      let sync = try profile.offread("sync", "--delay", "0", feeds[0], feeds[1])
      #expect(sync.status == 0, "\(sync.text)\(sync.errorText)")
    }
    let requests = profile.proxy.requests
    #expect(requests.contains { $0.target == "http://gazette.example/feed" })
    let queued = try profile.lists("queue").earlier.byURL.keys
    for request in requests where stored[request.target] != nil {
      // The redirect of a page has no validator.
      guard request.target != Self.harbour + "/old" else { continue }
      #expect(request["If-None-Match"] != nil, "\(request.target) is fetched again")
      let isItem =
        request.target.contains("gazette.example/") && !request.target.hasSuffix("/feed")
        || request.target.contains("log.example/") && !request.target.hasSuffix("/atom")
      // Pinned pages are due after two days.
      #expect(!isItem || request.target.hasSuffix("/dog"), "\(request.target) is asked for")
    }
    for request in requests where stored[request.target] == nil {
      let isRobots = request.target.hasSuffix("/robots.txt")
      #expect(isRobots || queued.contains(.text(request.target)), "\(request.target)")
    }
    let now = try profile.lists("unread").now.byURL.keys
    for url in read { #expect(!now.contains(.text(url)), "\(url) is unread again") }
    #expect(Set(unread).isSubset(of: Set(now)))
    for (url, shown) in stored where url != Self.harbour + "/old" {
      let versions = try profile.versions(of: url)
      #expect(versions.count == shown.versions?.versions.count, "\(url) is stored twice")
    }
  }

  @Test func `an interrupted crawl of 1.0 is resumed`() throws {
    let profile = try EarlierProfile()
    let saves = profile.sandbox.data + "/state/saves"
    for name in try FileManager.default.contentsOfDirectory(atPath: saves) {
      // After a week it would start from the beginning.
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: saves + "/" + name)
    }
    let atlas = "http://lexicon.example/atlas/"
    let saved = try profile.offread("save", "--delay", "0", "--depth", "1", atlas)
    #expect(saved.status == 0, "\(saved.text)\(saved.errorText)")
    let requests = profile.proxy.requests.map(\.target).filter { !$0.hasSuffix("/robots.txt") }
    #expect(requests == [atlas + "4"])
    #expect(try profile.offread("check", "--depth", "1", atlas).status == 0)
  }

  /// Lines of a later version, with members, attributes and value types that are unknown to this
  /// one.
  private static let laterLines = [
    #"{"date":1795800000000,"set":"mood","to":"calm","url":"http://harbour.example/tides"}"#,
    #"{"date":1795800000001,"set":"mood","to":{"sky":["gray"]},"url":"http://harbour.example/rope"}"#,
    #"{"date":1795800000002,"set":"tag:later","to":"1","by":"hand","url":"http://harbour.example/tides"}"#,
    #"{"date":1795800000003,"set":"item","to":7,"guid":"x","url":"http://log.example/dog"}"#,
    #"{"date":1795800000004,"shape":"round"}"#,
  ]

  @Test func `lines of a later version are kept when this one rewrites journals`() throws {
    let profile = try EarlierProfile()
    let journals = ["harbour", "ferry"].map { "\(profile.sandbox.data)/library/\($0).journal" }
    for journal in journals {
      let file = try #require(FileHandle(forWritingAtPath: journal))
      try file.seekToEnd()
      try file.write(contentsOf: Data((Self.laterLines.joined(separator: "\n") + "\n").utf8))
      try file.close()
    }
    let before = try String(contentsOfFile: journals[0], encoding: .utf8)
    #expect(try profile.offread("remove", "--quiet", Self.harbour + "/style").status == 0)
    #expect(try profile.offread("mark", "--tag", "new", Self.harbour + "/tides").status == 0)
    #expect(try profile.offread("sync", "--delay", "0").status != 2)
    #expect(try profile.offread("archive", "rebuild").status == 0)
    for journal in journals {
      let lines = Set(try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n"))
      for line in Self.laterLines { #expect(lines.contains(Substring(line)), "\(line)") }
    }
    // The journal was rewritten, and another device receives everything in a bundle.
    let after = try String(contentsOfFile: journals[0], encoding: .utf8)
    #expect(after.split(separator: "\n").first != before.split(separator: "\n").first)
    let bundle = profile.sandbox.directory.appendingPathComponent("all.tar").path
    #expect(try profile.offread("bundle", "-o", bundle).status == 0)
    let other = try Sandbox()
    let imported = try other.offread("import", "--with-changes", bundle)
    #expect(imported.status == 0, "\(imported.text)\(imported.errorText)")
    let copies = try FileManager.default.contentsOfDirectory(atPath: other.data + "/library")
      .filter { $0.hasSuffix(".journal") }
      .map { try String(contentsOfFile: "\(other.data)/library/\($0)", encoding: .utf8) }
    for line in Self.laterLines {
      #expect(copies.count { $0.contains(line) } >= 2, "\(line)")
    }
  }

  @Test func `record fields of a later version are kept when this one rewrites segments`() throws {
    let profile = try EarlierProfile()
    let segment = try #require(
      try profile.sandbox.segments().first { $0.lastPathComponent.hasPrefix("harbour-") })
    var bytes: [UInt8] = []
    var page = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 1_795_800_000),
      targetURI: Self.harbour + "/weather", contentType: "application/http;msgtype=response")
    page.fields.append("Offread-Weather", "fine")
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page of a later version."
    try WARCWriter().write(page, block: Array(block.utf8)) { bytes += $0 }
    var note = WARCRecord(
      .metadata, date: Date(timeIntervalSince1970: 1_795_800_001),
      targetURI: Self.harbour + "/weather", contentType: "application/warc-fields")
    note.fields.append("Offread-Season", "winter")
    try WARCWriter().write(note, block: Array("season: winter\r\n".utf8)) { bytes += $0 }
    let file = try FileHandle(forWritingTo: segment)
    try file.seekToEnd()
    try file.write(contentsOf: Data(bytes))
    try file.close()
    #expect(try profile.offread("archive", "rebuild").status == 0)
    let size = try Data(contentsOf: segment).count
    #expect(try profile.offread("remove", "--quiet", Self.harbour + "/style").status == 0)
    #expect(try profile.offread("archive", "rebuild").status == 0)
    let dumped = try profile.offread("dump", "--offline", Self.harbour + "/weather")
    #expect(dumped.text.contains("A page of a later version"), "\(dumped.errorText)")
    var fields: [String] = []
    var isWrittenAnew = false
    for url in try profile.sandbox.segments() {
      isWrittenAnew = isWrittenAnew || url != segment
      let data = try Data(contentsOf: url)
      if url == segment, data.count != size { isWrittenAnew = true }
      let reader = WARCReader(bytes: [UInt8](data))
      while let entry = try reader.next() {
        guard case .record(let record, _) = entry else { continue }
        fields += record.fields.lines.map { "\($0.name): \($0.value)" }
      }
    }
    #expect(isWrittenAnew)
    #expect(fields.contains("Offread-Weather: fine") && fields.contains("Offread-Season: winter"))
  }
}
