import Commands
import Foundation
import OfflineCache
import Pages
import Reader
import Terminal
import Testing

@testable import TerminalUI

@Suite struct BannerTests {
  static let now = Date(timeIntervalSince1970: 1_795_262_400)  // Sat 21 Nov 2026 12:00 UTC
  static let utc = TimeZone(secondsFromGMT: 0) ?? .gmt

  @Test(
    arguments: [
      (0.0, "just now"), (59, "just now"), (-500, "just now"),
      (-601, "from Sat 21 Nov 2026, dated in the future"), (60, "1 minute old"),
      (300, "5 minutes old"), (3599, "59 minutes old"), (3600, "1 hour old"),
      (3 * 3600, "3 hours old"), (86_399, "23 hours old"),
      (86_400, "from Fri 20 Nov 2026, 1 day old"),
      (18 * 86_400, "from Tue 3 Nov 2026, 18 days old"),
      (1e12, "1000000 days old"),
    ] as [(Double, String)])
  func `an age is formatted as text`(seconds: Double, text: String) {
    let age = DateTexts.age(of: Self.now - seconds, now: Self.now, in: Self.utc)
    #expect(age == text || (seconds > 1e10 && age.hasSuffix(text)))
  }

  @Test(
    arguments: [
      (0.0, "just now"), (-601, "future"), (60, "1 min"), (3 * 3600, "3 h"), (18 * 86_400, "18 d"),
    ] as [(Double, String)])
  func `an age is shortened in columns`(seconds: Double, text: String) {
    #expect(DateTexts.shortAgeText(of: Self.now - seconds, now: Self.now) == text)
  }

  @Test func `dates of the same minute are shown with seconds`() {
    let start = Date(timeIntervalSince1970: 1_795_256_100)
    let dates = [3.0, 15, 75].map(start.addingTimeInterval)
    #expect(
      DateTexts.distinctDateTexts(dates, in: Self.utc) == [
        "Sat 21 Nov 2026 10:15:03", "Sat 21 Nov 2026 10:15:15", "Sat 21 Nov 2026 10:16",
      ])
  }

  @Test(
    arguments: [
      (0.0, "Thu 1 Jan 1970"), (-1, "Wed 31 Dec 1969"), (951_782_400, "Tue 29 Feb 2000"),
      (1_709_164_800, "Thu 29 Feb 2024"), (4_107_542_400, "Mon 1 Mar 2100"),
      (-2_208_988_800, "Mon 1 Jan 1900"),
    ] as [(Double, String)])
  func `a date is formatted as text`(seconds: Double, text: String) {
    #expect(DateTexts.dayText(Date(timeIntervalSince1970: seconds), in: Self.utc) == text)
  }

  @Test
  func `the banner labels a portal page without a copy, and a copy for another request`() {
    func text(_ provenance: Provenance) -> [String] {
      Banner.parts(
        of: provenance, hasNewer: false, isOffline: true, now: Self.now, timeZone: Self.utc
      ).map(\.text)
    }
    var page = Provenance(source: .network, contentDate: Self.now)
    page.rejection = .signInPage
    #expect(
      text(page)
        == ["NOT SAVED", "sign-in page of this network", "sign in to the network, then r"])
    page.rejection = SavedReason(notSavedDueTo: .full)
    #expect(text(page) == ["NOT SAVED", "the disk is full", "r tries again"])
    page.rejection = SavedReason(notSavedDueTo: .unwritable("/a: read-only"))
    #expect(text(page) == [])
    page.rejection = .failure(.incomplete)
    page.isContentSaved = true
    #expect(text(page).prefix(2) == ["SAVED AS INCOMPLETE", "answer incomplete"])
    let item = Provenance(source: .saved(.itemWithoutPage), contentDate: Self.now - 300)
    #expect(text(item) == ["TEXT OF THE FEED", "5 minutes old", "the item has no page of its own"])
    var copy = Provenance(source: .saved(.offlineMode), contentDate: Self.now - 300)
    copy.differingFields = ["accept"]
    #expect(
      text(copy)
        == [
          "SAVED COPY", "5 minutes old", "for another accept", "offline mode",
          "x leaves offline mode",
        ])
    copy.differingFields = ["accept", "x-whatever"]
    #expect(text(copy).contains("for another request"))
  }

  @Test func `days depend on the time zone`() throws {
    let tokyo = try #require(TimeZone(secondsFromGMT: 9 * 3600))
    let evening = Date(timeIntervalSince1970: 1_795_262_400 + 4 * 3600)
    #expect(DateTexts.dayAndTimeText(evening, in: Self.utc) == "Sat 21 Nov 2026 16:00")
    #expect(DateTexts.dayAndTimeText(evening, in: tokyo) == "Sun 22 Nov 2026 01:00")
    #expect(DateTexts.relativeDay(Self.now, now: evening, in: tokyo) == "yesterday")
    #expect(DateTexts.relativeDay(Self.now, now: evening, in: Self.utc) == "today")
    #expect(
      DateTexts.relativeDay(Self.now - 864_000, now: evening, in: Self.utc)
        == "on Wed 11 Nov 2026")
    #expect(
      DateTexts.relativeDay(Self.now + 864_000, now: evening, in: Self.utc)
        == "on Tue 1 Dec 2026")
  }

  @Test(
    arguments: [
      (SavedReason.failure(.noNetwork), "no network"), (.failure(.hostNotFound), "host not found"),
      (.failure(.connectionRefused), "connection refused"),
      (.failure(.hostUnreachable), "host unreachable"),
      (.failure(.timedOut), "timed out"), (.status(503), "server error 503"),
      (.status(404), "page gone (404)"), (.signInPage, "sign-in page of this network"),
      (.failure(.incomplete), "answer incomplete"),
      (.failure(.notTrusted), "certificate not trusted"),
      (.offlineMode, "offline mode"), (.waiting, "waiting for the network"),
    ] as [(SavedReason, String)])
  func `the banner shows the reason`(reason: SavedReason, text: String) {
    var provenance = Provenance(
      source: .saved(reason), contentDate: Self.now - 18 * 86_400, olderVersions: 3)
    let alone = Banner.parts(
      of: provenance, hasNewer: false, isOffline: true, now: Self.now, timeZone: Self.utc)
    #expect(alone[0] == Banner.Segment("SAVED COPY", .headline))
    #expect(alone[1] == Banner.Segment("from Tue 3 Nov 2026, 18 days old"))
    #expect(alone[2] == Banner.Segment(text))
    #expect(alone.last == Banner.Segment("( older versions: 3", .keys))
    provenance.lastCheck = .init(date: Self.now, failure: reason)
    let checked = Banner.parts(
      of: provenance, hasNewer: true, isOffline: true, now: Self.now, timeZone: Self.utc)
    // When the newer version has arrived, the reason is no longer a slow network.
    #expect(checked.contains { $0.text.hasSuffix(text) } == (reason != .waiting))
    #expect(checked.contains(Banner.Segment("newer version: r")))
  }

  @Test func `a page read in offline mode is labelled as such after offline mode ends`() {
    let provenance = Provenance(source: .saved(.offlineMode), contentDate: Self.now)
    let parts = Banner.parts(
      of: provenance, hasNewer: false, isOffline: false, now: Self.now, timeZone: Self.utc)
    #expect(parts[2...].map(\.text) == ["read in offline mode", "r reloads it"])
  }

  @Test(arguments: [SavedReason.offlineMode, .status(503), .status(401), .failure(.timedOut)])
  func `in offline mode, r is not said to ask the server`(reason: SavedReason) {
    let provenance = Provenance(source: .saved(reason), contentDate: Self.now)
    let parts = Banner.parts(
      of: provenance, hasNewer: false, isOffline: true, now: Self.now, timeZone: Self.utc)
    #expect(parts.last == Banner.Segment("x leaves offline mode", .keys))
  }

  @Test(
    arguments: [
      (.default, false, ["r reloads it", "( older versions: 2"]),
      (.default, true, ["x leaves offline mode", "( older versions: 2"]),
      (.lynx, true, ["M-x leaves offline mode", "M-( older versions: 2"]),
      (.w3m, false, ["R reloads it", "M-( older versions: 2"]),
      (.less, false, ["R reloads it", "( older versions: 2"]),
    ] as [(KeyPreset, Bool, [String])])
  func `the banner names the keys of the key map`(
    preset: KeyPreset, isOffline: Bool, texts: [String]
  ) {
    var keymap = Keymap(preset)
    let saved = Provenance(
      source: .saved(.offlineMode), contentDate: Self.now, olderVersions: 2)
    func parts(_ provenance: Provenance, hasNewer: Bool = false) -> [String] {
      Banner.parts(
        of: provenance, hasNewer: hasNewer, isOffline: isOffline, keymap: keymap, now: Self.now,
        timeZone: Self.utc
      ).map(\.text)
    }
    #expect(parts(saved).suffix(2) == texts[...])
    keymap[Key(.function(5))] = .reload
    for key in ["r", "R", "C-r"].compactMap({ Key($0) }) { keymap[key] = nil }
    #expect(parts(saved, hasNewer: true).contains("newer version: F5"))
    #expect(parts(Provenance(source: .network), hasNewer: true) == ["newer version: F5"])
    #expect(
      parts(Provenance(source: .explanation), hasNewer: true)
        == ["the page is saved now: F5 shows it"])
  }

  @Test func `a fresh copy has one line with its date and the reason`() {
    let provenance = Provenance(
      source: .saved(.failure(.noNetwork)), contentDate: Self.now - 18 * 86_400,
      lastCheck: .init(date: Self.now - 18 * 86_400), isFresh: true)
    let parts = Banner.parts(
      of: provenance, hasNewer: false, isOffline: false, now: Self.now, timeZone: Self.utc)
    #expect(
      parts[..<3].map(\.text) == ["SAVED COPY", "from Tue 3 Nov 2026, 18 days old", "no network"])
  }

  @Test(arguments: [Provenance.Source.network, .fresh, .builtIn, .file, .explanation])
  func `only saved copies have a banner`(source: Provenance.Source) {
    let provenance = Provenance(source: source, contentDate: Self.now - 9e6, olderVersions: 2)
    #expect(
      Banner.parts(
        of: provenance, hasNewer: false, isOffline: false, now: Self.now, timeZone: Self.utc
      ).isEmpty)
  }

  private func rows(
    _ provenance: Provenance, columns: Int, maxRows: Int = 3, isShort: Bool = false
  ) -> [String] {
    Banner.rows(
      of: provenance, hasNewer: false, isOffline: false, columns: columns, maxRows: maxRows,
      isShort: isShort, separator: " · ", now: Self.now, timeZone: Self.utc
    ).map { row in
      zip(row, [nil] + row.map(Optional.some)).map { part, last in
        (last.map { Banner.gap(after: $0, " · ") } ?? "") + part.text
      }.joined()
    }
  }

  @Test func `the text for a reason does not depend on the last check of a page`() {
    let checks: [Provenance.Check?] = [
      nil, .init(date: Self.now - 60), .init(date: Self.now - 60, failure: .failure(.noNetwork)),
      .init(date: Self.now - 60, failure: .failure(.timedOut)),
    ]
    for reason in [
      SavedReason.failure(.noNetwork), .failure(.hostNotFound), .failure(.connectionRefused),
      .failure(.timedOut), .offlineMode,
    ] {
      for isFresh in [false, true] {
        let texts = checks.map { check in
          rows(
            Provenance(
              source: .saved(reason), contentDate: Self.now - 3600, lastCheck: check,
              isFresh: isFresh), columns: 120)
        }
        #expect(Set(texts).count == 1, "\(reason): \(texts)")
      }
    }
  }

  @Test func `a shorter text is used if it saves a row`() {
    let reason = SavedReason.failure(.badRedirect)
    let provenance = Provenance(
      source: .saved(reason), contentDate: Self.now - 18 * 86_400,
      lastCheck: .init(date: Self.now - 60, failure: reason), olderVersions: 3)
    #expect(
      rows(provenance, columns: 130) == [
        "SAVED COPY  from Tue 3 Nov 2026, 18 days old · last check failed today: redirected nowhere"
          + " · r reloads it · ( older versions: 3"
      ])
    #expect(
      rows(provenance, columns: 117) == [
        "SAVED COPY  from Tue 3 Nov 2026, 18 days old · check failed today: redirected nowhere"
          + " · r reloads it · ( 3 older"
      ])
    #expect(
      rows(provenance, columns: 80)
        == ["SAVED COPY  from Tue 3 Nov 2026, 18 days old · redirected nowhere · ( 3 older"])
    #expect(
      rows(provenance, columns: 60) == [
        "SAVED COPY  from Tue 3 Nov 2026, 18 days old",
        "redirected nowhere · r reloads it · ( 3 older",
      ])
    #expect(
      rows(provenance, columns: 77, isShort: true)
        == ["SAVED COPY  18 days old · redirected nowhere · r reloads it · ( 3 older"])
  }

  @Test func `on a narrow screen the reason is not truncated`() {
    let provenance = Provenance(
      source: .saved(.failure(.connectionRefused)), contentDate: Self.now - 5,
      lastCheck: .init(date: Self.now - 5, failure: .failure(.connectionRefused)))
    let rows = rows(provenance, columns: 36)
    #expect(rows == ["SAVED COPY  just now", "connection refused · r reloads it"])
  }

  @Test func `a check on another day is shown with its date`() {
    let provenance = Provenance(
      source: .saved(.failure(.noNetwork)), contentDate: Self.now - 18 * 86_400,
      lastCheck: .init(date: Self.now - 86_400, failure: .failure(.noNetwork)))
    #expect(
      rows(provenance, columns: 77)
        == [
          "SAVED COPY  from Tue 3 Nov 2026, 18 days old · no network",
          "last check failed yesterday · r reloads it",
        ])
  }

  @Test func `the parts fill as few rows as possible`() {
    let parts = ["one two", "three", "four", "five"].map { Banner.Segment($0) }
    func fill(_ columns: Int, _ limit: Int) -> [[String]] {
      Banner.fill(parts, columns: columns, maxRows: limit, separator: " · ").map { $0.map(\.text) }
    }
    #expect(fill(14, 3) == [["one two"], ["three", "four"], ["five"]])
    #expect(fill(80, 3).count == 1)
    #expect(fill(3, 2) == [["one two"], ["three"]])
  }
}
