@testable import Saving
import Crawl
@testable import Library
import Foundation
import GRDB
import TestNetwork
import TestSupport
import Testing

@testable import OfflineCache

@testable import Profiles
@testable import Sandbox
@testable import WebArchive

/// Queries and texts in many languages.
@Suite struct SearchLanguageTests {
  /// A language, a query, a text, and the words shown as matches, or nil if there must not be a
  /// match.
  typealias Row = (language: String, query: String, text: String, found: String?)

  static let european: [Row] = [
    ("German", "strasse", "Die lange Straße endet", "Straße"),
    ("German", "Straße", "in der STRASSE 5", "STRASSE"),
    ("German", "grosse", "eine GROẞE Sache", "GROẞE"),
    ("German", "munchen", "Grüße aus München", "München"),
    ("German", "Bundesbahn", "die Bundes\u{AD}bahn fährt", "Bundes\u{AD}bahn"),
    ("German", "schon", "das Schönste", nil),
    ("French", "francais", "Le mot FRANÇAIS ici", "FRANÇAIS"),
    ("French", "ecole", "E\u{301}cole normale", "E\u{301}cole"),
    ("French", "coeur", "au cœur du sujet", "cœur"),
    ("French", "homme", "l’homme révolté", "homme"),
    ("French", "\"l'été\"", "dans l’été chaud", "l’été"),
    ("French", "élève", "ils élèvent", nil),
    ("Spanish", "espana", "la historia de España", "España"),
    ("Spanish", "PINGÜINO", "un pinguino feliz", "pinguino"),
    ("Portuguese", "coracao", "um coração grande", "coração"),
    ("Portuguese", "acoes", "Ações e planos", "Ações"),
    ("Italian", "perche", "dimmi perché no", "perché"),
    ("Catalan", "colleccio", "la col·lecció", nil),
    ("Polish", "lodz", "miasto Łódź leży", "Łódź"),
    ("Polish", "zrodlo", "Źródło: archiwum", "Źródło"),
    ("Polish", "żółć", "zolc wątroby", "zolc"),
    ("Czech", "prilis", "Příliš žluťoučký kůň", "Příliš"),
    ("Czech", "kun", "žluťoučký kůň pěl", "kůň"),
    ("Slovak", "lubozvucny", "Ľúbozvučný hlas", "Ľúbozvučný"),
    ("Hungarian", "arvizturo", "Árvíztűrő tükörfúrógép", "Árvíztűrő"),
    ("Romanian", "stiinta", "Ştiinţă veche", "Ştiinţă"),
    ("Romanian", "știință", "stiinta noua", "stiinta"),
    ("Turkish", "istanbul", "İstanbul'da hava", "İstanbul"),
    ("Turkish", "ISPARTA", "ısparta gülü", "ısparta"),
    ("Danish", "rodgrod", "en RØDGRØD med", "RØDGRØD"),
    ("Danish", "aegte", "Ægte vare", "Ægte"),
    ("Norwegian", "blabaer", "plukke blåbær her", "blåbær"),
    ("Swedish", "angstrom", "en Ångström lång", "Ångström"),
    ("Swedish", "Ångström", "1 \u{212B}ngstro\u{308}m", "\u{212B}ngstro\u{308}m"),
    ("Icelandic", "thingvellir", "Þingvellir á Íslandi", "Þingvellir"),
    ("Icelandic", "sidan", "síðan þá", "síðan"),
    ("Croatian", "dakovo", "grad Đakovo", "Đakovo"),
    ("Croatian", "dzep", "moj ǆep", "ǆep"),
    ("Uzbek", "o'zbekiston", "Oʻzbekiston yangiliklari", "Oʻzbekiston"),
    ("Hawaiian", "hawai'i", "ka mokupuni ʻo Hawaiʻi", "Hawaiʻi"),
    ("Arabic", "صلى الله", "محمد ﷺ قال", "ﷺ"),
    ("Maltese", "hobza", "ħobża friska", "ħobża"),
    ("Vietnamese", "duong", "Đường phố Hà Nội", "Đường"),
    ("Vietnamese", "viet nam", "Tiếng Việt Nam", "Việt"),
    ("Vietnamese", "nguoi", "ngu\u{31B}\u{300}o\u{300}i ta", "ngu\u{31B}\u{300}o\u{300}i"),
    ("Greek", "αθηνα", "Η Αθήνα σήμερα", "Αθήνα"),
    ("Greek", "ΟΔΟΣ", "στην οδός Ερμού", "οδός"),
    ("Greek", "λογοσ", "ὁ λόγος", "λόγος"),
    ("Greek", "μαιος", "Μάϊος", "Μάϊος"),
    ("Greek", "λογο", "ὁ λόγος", nil),
    ("Russian", "елка", "новогодняя Ёлка горит", "Ёлка"),
    ("Russian", "ещё", "ЕЩЕ раз", "ЕЩЕ"),
    ("Russian", "мир", "мировой", nil),
    ("Russian", "замок", "за\u{301}мок на горе", "за\u{301}мок"),
    ("Ukrainian", "киів", "місто Київ", "Київ"),
    ("Ukrainian", "об'єкт", "великий обʼєкт", "обʼєкт"),
    ("Bulgarian", "чай", "ЧАЙ с мляко", "ЧАЙ"),
    ("Armenian", "հայաստան", "ՀԱՅԱՍՏԱՆ երկիր", "ՀԱՅԱՍՏԱՆ"),
    ("Georgian", "თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ ქალაქი", "ᲗᲑᲘᲚᲘᲡᲘ"),
  ]

  static let others: [Row] = [
    ("Arabic", "كتاب", "هذا كِتَابٌ جديد", "كِتَابٌ"),
    ("Arabic", "كِتاب", "كتاب", "كتاب"),
    ("Arabic", "احمد", "السيد أحمد هنا", "أحمد"),
    ("Arabic", "سلام", "ســـلام عليكم", "ســـلام"),
    ("Arabic", "سلام", "\u{FEB3}\u{FEFC}\u{FEE1}", "\u{FEB3}\u{FEFC}\u{FEE1}"),
    ("Arabic", "كتب", "كاتب", nil),
    ("Persian", "کتاب", "كتاب فارسي", "كتاب"),
    ("Persian", "میخواهم", "می\u{200C}خواهم بروم", "می\u{200C}خواهم"),
    ("Hebrew", "שלום", "שָׁלוֹם עליכם", "שָׁלוֹם"),
    ("Hebrew", "שָׁלוֹם", "אמר שלום", "שלום"),
    ("Hebrew", "שלום", "\u{FB2A}לום", "\u{FB2A}לום"),
    ("Hebrew", "ספר", "ספרים", nil),
    ("Hindi", "हिन्दी", "यह हिन्दी है", "हिन्दी"),
    ("Hindi", "क़लम", "एक कलम", "कलम"),
    ("Hindi", "कल", "काला कुल", nil),
    ("Bengali", "বাংলা", "আমার বাংলা ভাষা", "বাংলা"),
    ("Bengali", "বল", "বালা", nil),
    ("Tamil", "தமிழ்", "இது தமிழ் மொழி", "தமிழ்"),
    ("Thai", "ภาษาไทย", "ผมพูดภาษาไทยได้", "ภาษาไทย"),
    ("Thai", "ภาษา", "ภาษี", nil),
    ("Lao", "ລາວ", "ພາສາລາວ", "ລາວ"),
    ("Khmer", "ខ្មែរ", "ភាសា\u{200B}ខ្មែរ", "ខ្មែរ"),
    ("Japanese", "カタカナ", "これは ｶﾀｶﾅ です", "ｶﾀｶﾅ"),
    ("Japanese", "ガイド", "旅のｶﾞｲﾄﾞ本", "ｶﾞｲﾄﾞ"),
    ("Japanese", "がくせい", "か\u{3099}くせい", "か\u{3099}くせい"),
    ("Japanese", "かき", "かぎをかける", nil),
    ("Japanese", "ひらがな", "ヒラガナ", nil),
    ("Japanese", "東京", "東京都庁", "東京"),
    ("Japanese", "京", "東京都庁", "京"),
    ("Japanese", "tokyo", "ＴＯＫＹＯ ２０２０", "ＴＯＫＹＯ"),
    ("Japanese", "キロ", "５㌔走る", "㌔"),
    ("Chinese", "北京", "在北京大学", "北京"),
    ("Chinese", "京北", "在北京大学", nil),
    ("Chinese", "\u{8C48}", "\u{F900}", "\u{F900}"),
    ("Korean", "서울", "서울특별시입니다", "서울"),
    ("Korean", "특별시", "서울특별시입니다", "특별시"),
    (
      "Korean", "한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}",
      "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"
    ),
    ("Korean", "울서", "서울특별시입니다", nil),
    ("Korean", "서", "특별시 서울", "서"),
    ("Korean", "\"검색 엔진\"", "새 검색 엔진을 쓴다", "검색 엔진"),
    ("Korean", "2024년", "올해 2024년에는", "2024년"),
    ("Korean", "wi", "새 WiFi에서", nil),
    ("Japanese", "佐々木", "佐々木さんの本", "佐々木"),
    ("Japanese", "横浜2020展", "秋の横浜2020展示会", "横浜2020展"),
    ("Japanese", "usb", "このUSBを抜く", "USB"),
    ("Chinese", "第3章", "见第3章节", "第3章"),
    ("English", "naive", "a naïve reader", "naïve"),
    ("English", "office", "the o\u{FB03}ce", "o\u{FB03}ce"),
    ("English", "linux", "Linux™ is", "Linux"),
    ("English", "cafe", "cafeteria", nil),
    ("English", "caf*", "cafeteria", "caf"),
    ("English", "well known", "a well-known word", "well"),
    ("English", "\"well known\"", "a well-known word", "well-known"),
    ("English", "harbour?", "the harbour, at last", "harbour"),
    ("English", "(“harbour”)", "the harbour, at last", "harbour"),
    ("English", "C++", "about C and C++", "C++"),
    ("English", "C++", "vitamins C and D", nil),
    ("English", "notepad++", "in Notepad++, café or not", "Notepad++"),
    ("English", "C#", "written in C#.", "C#"),
    ("English", "C#", "C++ and plain C, see page#part", nil),
    ("English", "\"C++ templates\"", "many C++ templates", "C++ templates"),
    ("Chinese", "北京。", "我在北京大学", "北京"),
    ("Chinese", "北京", "我在北(běi)京(jīng)", "北(běi)京"),
    ("Chinese", "jing", "我在北(běi)京(jīng)", "jīng"),
    ("Japanese", "漢字", "この漢(かん)字(じ)は", "漢(かん)字"),
    ("Japanese", "食べ物", "食（た）べ物（もの）", "食（た）べ物"),
    ("signs", "m2", "100 m² of it", "m²"),
  ]

  @Test(arguments: european + others)
  func `words are found as users type them`(
    _ language: String, _ typed: String, _ text: String, _ expected: String?
  ) throws {
    let query = try SearchQuery(typed, timeZone: .gmt)
    for (body, title) in [(text, ""), ("", text)] {
      let store = try SearchStore(path: nil)
      let page = SearchStore.Page(
        key: "http://a.example/", record: "1", site: "a.example", title: title, date: 1)
      try store.add([SearchStore.Entry(page: page, text: body)], SearchStore.Progress())
      let found = try store.matches(query, among: nil, atLeast: 1)
      #expect(found.isEmpty == (expected == nil), "\(SearchText.indexed(text))")
      try store.remove([SearchStore.Entry(page: page, text: body)])
      try store.flushRemovals()
      #expect(try store.matches(query, among: nil, atLeast: 1).isEmpty)
    }
    let snippet = Snippet(of: text, query)
    let first = snippet.matches.first.map { String(Array(snippet.text)[$0]) }
    #expect(first.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  @Test func `the table has many languages and pairs`() {
    let rows = Self.european + Self.others
    #expect(Set(rows.map(\.language)).count >= 30)
    #expect(rows.count { $0.found != nil } >= 60)
    #expect(rows.count { $0.found == nil } >= 10)
  }

  @Test(
    arguments: [
      ("munchen", "https://de.example/wiki/M%C3%BCnchen"),
      ("москва", "https://a.example/%d0%9c%d0%be%d1%81%d0%ba%d0%b2%d0%b0"),
      ("東京", "https://a.example/%E6%9D%B1%E4%BA%AC%E9%83%BD"),
      ("broken", "https://a.example/%zz%E6/broken%"),
    ] as [(String, String)])
  func `percent-encoded text of a URL is found`(_ typed: String, _ url: String) throws {
    let store = try SearchStore(path: nil)
    let page = SearchStore.Page(key: url, record: "1", site: "x.example", title: "", date: 1)
    try store.add([SearchStore.Entry(page: page, text: "")], SearchStore.Progress())
    let query = try SearchQuery(typed, timeZone: .gmt)
    #expect(try store.matches(query, among: nil, atLeast: 1).count == 1)
    #expect(try store.completions(of: typed, limit: 1).map(\.key) == [url])
    try store.remove([SearchStore.Entry(page: page, text: "")])
    #expect(try store.matches(query, among: nil, atLeast: 1).isEmpty)
  }

  @Test(arguments: Seeds.all)
  func `bytes that are not text have a snippet`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let query = try SearchQuery("word 서울 е* ß", timeZone: .gmt)
    let pieces: [[UInt8]] = [
      [0xFF], [0xC3], [0xCC, 0x81], [0xE2, 0x80], Array("word".utf8), [0x20], [0], Array("서울".utf8),
      Array("ё".utf8), Array("ﷺ".utf8), Array("ẞ".utf8), [0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0..<300, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      let snippet = Snippet(of: String(decoding: text, as: UTF8.self), query)
      let count = snippet.text.count
      #expect(snippet.matches.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= count })
      _ = SearchText.indexed(String(decoding: text, as: UTF8.self))
    }
  }
}

/// Indexes of earlier versions, and tags.
@Suite struct SearchFoldingTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private func find(_ profile: Profile, _ text: String) throws -> [String] {
    try profile.search.catchUp()
    let query = try SearchQuery(text, timeZone: .current)
    return try profile.search.search(query, limit: 10).map(\.key)
  }

  private func open() throws -> Profile {
    network.add("http://a.example/1", "<title>Łódź</title><p>서울특별시입니다 und die Straße")
    let profile = files.open(network)
    var request = SaveRequest(pages: ["http://a.example/1"])
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).run().isComplete)
    try profile.library.record([
      LibraryChange("http://a.example/1", .tag("żółty"), "1"),
      LibraryChange("http://a.example/1", .note, "ein Vermerk"),
    ])
    return profile
  }

  @Test func `the index of the previous version is rebuilt, and library data is kept`() throws {
    let profile = try open()
    try profile.search.catchUp()
    let lastRow = try profile.cache.archive.lastRow()
    let version = try #require(
      try profile.cache.archive.readVersions(after: lastRow - 1, limit: 1).first)
    let pageBefore = try profile.library.page("http://a.example/1")
    profile.close()
    let path = files.directory.appendingPathComponent("search.sqlite").path
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let oldDatabase = try RebuildableDatabase(path: path, Self.versionThree)
    try oldDatabase.write { db in
      try db.execute(
        sql: """
          INSERT INTO page (key, record, site, title, date) VALUES (?, ?, 'a.example', 'Łódź', 1);
          INSERT INTO content (rowid, body, title, url, site) VALUES (1, 'oldword', '', '', '');
          INSERT INTO progress VALUES (1, \(version.row), ?);
          """,
        arguments: ["http://a.example/1", version.stored.id, version.stored.id])
    }
    oldDatabase.close()
    let reopenedProfile = files.open(network)
    #expect(try find(reopenedProfile, "oldword").isEmpty)
    for text in ["lodz", "서울", "strasse"] {
      #expect(try find(reopenedProfile, text) == ["http://a.example/1"], "\(text)")
    }
    #expect(try reopenedProfile.library.page("http://a.example/1") == pageBefore)
    #expect(pageBefore.note == "ein Vermerk" && pageBefore.tags == ["żółty"])
    reopenedProfile.close()
  }

  @Test func `tags and notes are found by the words that users type for them`() throws {
    let profile = try open()
    #expect(try find(profile, "tag:zolty") == ["http://a.example/1"])
    #expect(try find(profile, "tag:ŻÓŁTY lodz") == ["http://a.example/1"])
    #expect(try find(profile, "tag:zolt").isEmpty)
    try profile.library.record([LibraryChange("http://a.example/1", .tag("żółty"), nil)])
    #expect(try find(profile, "tag:zolty").isEmpty)
    #expect(try find(profile, "vermerk") == ["http://a.example/1"])
    #expect(try find(profile, "VERMERK strasse") == ["http://a.example/1"])
    #expect(try find(profile, "vermerk -strasse").isEmpty)
    #expect(try find(profile, "strasse -vermerk").isEmpty)
    #expect(try find(profile, "verm*") == ["http://a.example/1"])
    #expect(try find(profile, "verm").isEmpty)
    profile.close()
  }

  /// The tables of the index before folding was introduced.
  private static let versionThree = RebuildableDatabase.Schema(version: 3, cacheSize: 1000) { db in
    try db.execute(
      sql: """
        CREATE TABLE page (
          id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
          site TEXT NOT NULL, title TEXT NOT NULL, date INTEGER NOT NULL);
        CREATE INDEX pageRecord ON page (record);
        CREATE INDEX pageDate ON page (date);
        CREATE VIRTUAL TABLE content USING fts5 (
          body, title, url, site, content = '', tokenize = 'unicode61 remove_diacritics 2');
        CREATE TABLE progress (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, record TEXT NOT NULL);
        """)
  }
}
