import Rendering
import Reader
@testable import Configuration
import Foundation
import OfflineCache
import TestSupport
import Testing

@testable import Pages

@Suite("The settings file")
struct SettingsFileTests {
  private static let directory = URL(fileURLWithPath: "/etc/offread", isDirectory: true)

  private static func reading(_ text: String) -> SettingsFile.Reading {
    SettingsFile.parse(text, name: "config.toml", directory: directory)
  }

  private static func parse(_ text: String) -> Settings {
    let reading = reading(text)
    #expect(reading.mistakes.isEmpty)
    return reading.settings
  }

  private static func mistakes(_ text: String) -> [String] { reading(text).mistakes }

  private static let everything = """
    # Everything that there is.
    [display]
    theme = "nord"
    width = 66
    color = "never"
    mouse = false
    ascii = true
    linear = true
    color_code = false
    opener = "zathura %s"
    player = "mpv %s"
    ambiguous_width = 2
    bidi = "app"
    [images]
    show = "symbols"
    [keys]
    preset = "w3m"
    line-down = ["j", "M-Down"]

    [cache]
    mode = "cache-first"
    patience = 0.5
    connect_timeout = "3 s"
    timeout = "2 min"
    size_limit = "200 MB"
    render_limit = 5000
    respect_no_store = true
    respect_no_cache = true

    [identity]
    cookies = true
    cookie_file = "cookies.txt"
    netrc = true
    netrc_file = "/etc/netrc"
    cert = "me.pem"
    key = "me.key"
    cert_hosts = ["a.example.org", "b.example.org"]
    cacert = "ca.pem"

    [archive]
    max_size = "20 GB"
    max_age = "52 w"
    max_versions = 5

    [library]
    drop_tracking = false

    [sync]
    interval = "12 h"
    feed_interval = "30 min"
    feed_items = 20
    undo_time = "2 d"

    [[feed]]
    url = "https://example.org/*"
    text = "feed"
    enclosures = "audio"
    file_limit = "200 MB"
    feed_limit = "1 GB"
    match = "advert"
    in = "title"
    do = "hide"
    [[feed]]
    regex = "^Sponsored"
    tag = "ads"
    [[refresh]]
    tag = "News"
    every = "1 h"

    [[rule]]
    host = ["*.example.org", "example.org"]
    path = "/news/*"
    extension = "html"
    mime_type = "text/*"
    size = [">= 1 kB", "< 2 MiB"]
    method = "GET"
    store = true
    max_age = "7 d"
    access_control_max_age = true
    [hooks]
    read = ["mark read", "-x", "{url}"]
    feeds = ["https://example.org/*"]
    timeout = 45
    [[reader]]
    host = "*.example.org"
    view = "reader"
    keep = ["div.post", "#text"]
    drop = ".promo"

    [[rule]]
    mode = "network-only"
    drop_parameters = ["utm_*", "ref"]
    sort_query = true
    fold_case = false
    cache_key = "front page"
    cache_key_header = "MobileAppCacheKey"
    cache_key_answer_header = "X-Entry"

    [[rewrite]]
    prefix = "https://docs.example.org/"
    host = "docs.example.org"
    to = "https://mirror.example.net/docs/"
    set = { "X-From" = "reader", DNT = "1" }
    remove = ["Referer"]
    user_agent = "Reader/1"
    proxy = "socks5h://localhost:9050"
    key_by_target = true

    [[substitute]]
    prefix = "https://docs.python.org/3/"
    file = "/usr/share/doc/python3/html"

    [[substitute]]
    url = "https://example.org/a?b"
    file = "pages/a.html"

    [[seed]]
    folder = "mirror"

    [[seed]]
    warc = "/srv/warc"

    [[remote]]
    timemap = "https://archive.example/web/timemap/link/"

    [zim]
    files = ["wiki.zim", "/srv/books.zim"]

    [render]
    command = "/opt/chromium"
    """

  @Test func `every setting is read`() throws {
    let settings = Self.parse(Self.everything)
    #expect(settings.ambiguousWidth == 2 && settings.images == .symbols && settings.bidi == .app)
    #expect(settings.theme == "nord" && settings.textWidth == 66 && settings.color == .never)
    #expect(settings.themeLocation == "config.toml:3")
    #expect(!settings.usesMouse && settings.isASCII == true && settings.isLinear)
    #expect(settings.keys.map(\.name) == ["line-down", "preset"])
    #expect(settings.keys.map(\.texts) == [["j", "M-Down"], ["w3m"]])
    #expect(settings.load.mode == .cacheFirst && !settings.load.isModeChosen)
    #expect(settings.load.fallbackDelay == 0.5 && settings.load.connectTimeout == 3)
    #expect(settings.load.totalTimeout == 120 && settings.load.firstByteTimeout == 30)
    #expect(settings.load.maxSize == 200_000_000 && settings.load.maxRenderedSize == 5000)
    #expect(settings.load.respectsNoStore && settings.load.respectsNoCache)
    var reading = ReadingPreference()
    (reading.hosts, reading.view) = (["*.example.org"], .reader)
    (reading.contentSelectors, reading.removedSelectors) = (["div.post", "#text"], [".promo"])
    #expect(settings.readingPreferences == [reading])
    #expect(settings.storage.versions == 5 && !settings.dropsTracking)
    #expect(settings.sync.interval == 43_200 && settings.sync.feedInterval == 1800)
    #expect(settings.sync.feedItems == 20 && settings.sync.undoTime == 172_800)
    #expect(settings.player == "mpv %s" && settings.feeds[0].enclosures == .audio)
    #expect(settings.feeds[0].fileLimit == 200_000_000)
    #expect(settings.feeds[0].feedLimit == 1_000_000_000)
    #expect(settings.refreshes.map(\.tag) == ["news"])
    #expect(settings.refreshes.map(\.interval) == [3600])
    #expect(settings.hooks.readCommand?.words == ["mark read", "-x", "{url}"])
    #expect(settings.hooks.feeds == ["https://example.org/*"] && settings.hooks.timeout == 45)
    var identity = IdentitySettings()
    (identity.keepsCookies, identity.usesNetrc) = (true, true)
    identity.cookieFile = URL(fileURLWithPath: "/etc/offread/cookies.txt")
    identity.netrcFile = URL(fileURLWithPath: "/etc/netrc")
    identity.certificateFile = URL(fileURLWithPath: "/etc/offread/me.pem")
    identity.keyFile = URL(fileURLWithPath: "/etc/offread/me.key")
    identity.certificateHosts = ["a.example.org", "b.example.org"]
    identity.authorities = URL(fileURLWithPath: "/etc/offread/ca.pem")
    #expect(settings.identity == identity)
    #expect(
      settings.storage
        == StorageLimits(bytes: 20_000_000_000, age: 31_449_600, versions: 5))
    let first = Rule {
      $0.hosts = ["*.example.org", "example.org"]
      $0.paths = ["/news/*"]
      $0.extensions = ["html"]
      $0.mediaTypes = ["text/*"]
      $0.minSize = 1000
      $0.maxSize = 2 << 20 - 1
      $0.methods = ["GET"]
      $0.stores = true
      $0.maxAge = 604_800
      $0.usesAccessControlMaxAge = true
    }
    let second = Rule {
      $0.mode = .networkOnly
      $0.droppedParameters = ["utm_*", "ref"]
      $0.sortsQuery = true
      $0.ignoresCase = false
      $0.fixedKey = "front page"
      $0.keyField = "MobileAppCacheKey"
      $0.responseKeyField = "X-Entry"
    }
    #expect(settings.rules == [first, second])
    let rewrite = try #require(settings.rewrites.first)
    #expect(settings.rewrites.count == 1)
    #expect(rewrite.prefix == "https://docs.example.org/" && rewrite.hosts == ["docs.example.org"])
    #expect(rewrite.target == "https://mirror.example.net/docs/" && rewrite.keysByTarget)
    #expect(rewrite.removedFields == ["Referer"] && rewrite.proxy == "socks5h://localhost:9050")
    #expect(
      rewrite.fields == [
        .init("DNT", "1"), .init("X-From", "reader"), .init("User-Agent", "Reader/1"),
      ])
    #expect(
      settings.substitutions == [
        Substitution(
          .prefix("https://docs.python.org/3/"),
          file: URL(fileURLWithPath: "/usr/share/doc/python3/html")),
        Substitution(
          .url("https://example.org/a?b"),
          file: URL(fileURLWithPath: "/etc/offread/pages/a.html")),
      ])
    #expect(
      settings.seeds == [
        .folder(URL(fileURLWithPath: "/etc/offread/mirror")),
        .warc(URL(fileURLWithPath: "/srv/warc")),
      ])
    #expect(settings.remotes.map(\.timeMap) == ["https://archive.example/web/timemap/link/"])
    #expect(settings.zimFiles.map(\.path) == ["/etc/offread/wiki.zim", "/srv/books.zim"])
    #expect(settings.render.command == "/opt/chromium")
  }

  @Test func `printed settings are read back unchanged, and include every setting`() throws {
    for text in ["", Self.everything] {
      let settings = Self.parse(text)
      var again = Self.parse(settings.text)
      // The theme and the keys are on other lines of the file.
      again.themeLocation = settings.themeLocation
      for index in again.keys.indices { again.keys[index].location = settings.keys[index].location }
      #expect(again == settings)
    }
    let empty = Self.parse("").text
    let full = Self.parse(Self.everything).text
    for table in SettingTable.all {
      for key in table.keys {
        #expect(full.contains("\n\(key) = "), "\(table.name).\(key)")
        #expect(empty.contains(key), "\(table.name).\(key)")
      }
    }
  }

  @Test func `words of a name may be joined in any style`() throws {
    for name in ["max_age", "max-age", "maxAge", "MAXAGE"] {
      #expect(Self.parse("[[rule]]\n\(name) = 5").rules == [Rule { $0.maxAge = 5 }])
    }
  }

  @Test(
    arguments: [
      (
        "[cache]\npatince = 1",
        "config.toml:2: [cache] has no setting patince; did you mean patience?"
      ),
      ("[cache]\nxyz = 1", "config.toml:2: [cache] has no setting xyz"),
      ("[cahce]\nmode = 1", "config.toml:1: there is no table cahce; did you mean [cache]?"),
      (
        "\n\nmode = \"cache-only\"",
        "config.toml:3: mode is not in a table; did you mean mode of [cache]?"
      ),
      (
        "theme = \"nord\"",
        "config.toml:1: theme is not in a table; did you mean theme of [display]?"
      ),
      (
        "thmee = \"nord\"",
        "config.toml:1: thmee is not in a table; did you mean theme of [display]?"
      ),
      ("xyzzy = 50", "config.toml:1: xyzzy is not in a table"),
      ("[xyzzy]\na = 1", "config.toml:1: there is no table xyzzy"),
      ("[[cache]]\n", "config.toml:1: cache is a table: [cache]"),
      ("[rule]\nstore = true", "config.toml:1: rule is a table: [[rule]]"),
      (
        "[cache]\n# text\npatience = \"soon\"",
        "config.toml:3: patience takes a time from 0 to a day, such as 2, 0.5 or \"1 min\", not \"soon\""
      ),
      (
        "[cache]\npatience = -1",
        "config.toml:2: patience takes a time from 0 to a day, such as 2, 0.5 or \"1 min\", not -1"
      ),
      (
        "[cache]\nmode = \"offline\"",
        "config.toml:2: mode takes one of network-first, cache-first, stale-while-revalidate, "
          + "network-only, cache-only, not \"offline\""
      ),
      (
        "[cache]\nrespect_no_store = 1",
        "config.toml:2: respect_no_store takes true or false, not 1"
      ),
      (
        "[cache]\nsize_limit = \"5 XB\"",
        "config.toml:2: size_limit takes a size of at least 1 kB, such as \"100 MB\", not \"5 XB\""
      ),
      (
        "[[rule]]\nstore = true\n\n[[rule]]\nhost = \"a\"",
        "config.toml:4: [[rule]] sets nothing: add a setting such as store = false"
      ),
      (
        "[[rule]]\nstore = true\nmax_age = \"1 fortnight\"",
        "config.toml:3: max_age takes a time up to 1000 years, such as 3600 or \"7 d\", not \"1 fortnight\""
      ),
      (
        "[[rule]]\nstore = \"no\"\nmax_age = 1",
        "config.toml:2: store takes true or false, not \"no\""
      ),
      (
        "[[rule]]\nstore = true\ndrop_parameters = 3",
        "config.toml:3: drop_parameters takes a name such as \"utm_*\", or a list of them, not 3"
      ),
      (
        "[[rule]]\nmime_type = \"image/*\"\nmode = \"cache-first\"",
        "config.toml:3: mode is needed before the response arrives and cannot depend on mime_type or size"
      ),
      (
        "[[rule]]\nsize = \"5 MB\"\nstore = false",
        "config.toml:2: size takes a comparison such as \"> 5 MB\", or a list of two that do not contradict each other, "
          + "not \"5 MB\""
      ),
      (
        "[[rewrite]]\nto = \"file:///x\"",
        "config.toml:2: to takes an http or https URL without a query"
      ),
      (
        "[[rewrite]]\nset = { \"a b\" = \"1\" }",
        "config.toml:2: set takes a table of header fields such as { DNT = \"1\" }, not \"a b\" = \"1\""
      ),
      (
        "[[rewrite]]\nhost = \"a\"",
        "config.toml:1: [[rewrite]] changes nothing: it needs to, set, remove, user_agent or proxy"
      ),
      (
        "[[substitute]]\nfile = \"x\"",
        "config.toml:1: [[substitute]] needs url or prefix, and file"
      ),
      (
        "[[substitute]]\nurl = \"x\"\nfile = \"x\"",
        "config.toml:2: url takes one absolute URL, not \"x\""
      ),
      ("[[seed]]\n", "config.toml:1: [[seed]] needs folder or warc"),
      ("[[remote]]\n", "config.toml:1: [[remote]] needs timemap"),
      (
        "[hooks]\nread = \"mark 'it\"",
        "config.toml:2: read takes a command such as \"mark-read {url}\" without a shell, or a list"
          + " of its words, not \"mark 'it\""
      ),
      (
        "[render]\ncommand = \"chromium --no-sandbox/x\"",
        "config.toml:2: command takes the name or path of a Chromium browser, not"
          + " \"chromium --no-sandbox/x\""
      ),
      (
        "[[remote]]\ntimemap = \"ftp://a.example/\"",
        "config.toml:2: timemap takes an http or https URL, to which the URL of a page is "
          + "appended, not \"ftp://a.example/\""
      ),
      (
        "[[seed]]\nfolder = \"a\"\nwarc = \"b\"",
        "config.toml:3: folder and warc cannot be used together: put each into its own [[seed]] table"
      ),
      (
        "[[substitute]]\nURL = \"http://a/\"\nprefix = \"http://b/\"\nfile = \"x\"",
        "config.toml:3: url and prefix cannot be used together: put each into its own [[substitute]] table"
      ),
      (
        "[[rewrite]]\nproxy = \"http://me:secret@x:99999\"",
        "config.toml:2: proxy takes a URL such as \"socks5h://localhost:9050\", or \"\" for none, "
          + "not \"http://x:99999\""
      ),
      (
        "a" + String(repeating: ".a", count: 101) + " = 1",
        "config.toml:1: a key has more than 101 dotted parts"
      ),
      (
        "[cache]\nmode = 2020-01-01",
        "config.toml:2: mode takes one of network-first, cache-first, stale-while-revalidate, network-only, cache-only, not a date or a time"
      ),
      (
        "[cache]\nmode = \"\\u001B[31m\"",
        "config.toml:2: mode takes one of network-first, cache-first, stale-while-revalidate, "
          + "network-only, cache-only, not \"\\u001B[31m\""
      ),
    ] as [(String, String)])
  func `an error names the file, the line and the intended name`(_ text: String, _ message: String)
  {
    #expect(Self.mistakes(text) == [message])
  }

  @Test func `valid settings next to an error apply`() {
    let reading = Self.reading(
      "theme = \"nord\"\n[display]\nwidht = 50\nwidth = 60\nmouse = 3\n[[refresh]]\nevery = 5\n"
        + "[[refresh]]\ntag = \"news\"\nevery = \"1 h\"\n[cache]\nmode = \"cache-first\"\n")
    #expect(reading.mistakes.count == 4 && reading.warnings == reading.mistakes)
    let settings = reading.settings
    #expect(settings.textWidth == 60 && settings.usesMouse && settings.theme == nil)
    #expect(settings.refreshes.map(\.tag) == ["news"] && settings.load.mode == .cacheFirst)
    #expect(!settings.isSavedOnly)
  }

  @Test(arguments: [
    "[cache]\npatince = 1", "[cache]\nmode = 1", "[cahce]\npatience = 1", "[[cache]]",
    "[identity]\ncookeis = true", "[[rule]]\nhots = \"a.test\"\nstore = false", "[[rule]]",
    "[rule]\nstore = false", "[[rules]]\nstore = false", "store = false", "rule = [1]",
    "[[rewrite]]\nproxy = 3", "mode = \"cache-only\"", "[[rewrite]]\nhost = \"a.test\"",
  ])
  func `an error that affects requests or storage restricts offread to saved pages`(
    _ text: String
  ) {
    let lines = text.split(separator: "\n")
    let atTop = text.hasPrefix("[") ? [] : lines
    let others = text.hasPrefix("[") ? lines : []
    let settings = Self.reading(
      (atTop + ["[display]", "width = 60", "[identity]", "netrc = true"] + others).joined(
        separator: "\n")
    ).settings
    // A second [identity] table is invalid TOML, of which nothing applies.
    let isTOML = !text.hasPrefix("[identity]")
    #expect(settings.isSavedOnly && settings.textWidth == (isTOML ? 60 : 72))
    #expect(settings.load.mode == .cacheOnly && settings.identity == IdentitySettings())
  }

  @Test
  func `an invalid TOML file restricts offread to saved pages, and the first warning explains why`()
  {
    let reading = Self.reading("[display]\ntheme = nord\n")
    #expect(reading.settings.isSavedOnly)
    #expect(reading.warnings.count == 2 && reading.origin == .defaults)
    #expect(
      reading.warnings[0].hasPrefix("offline because the settings cannot be read: config.toml:2: "))
  }

  @Test(arguments: [
    ("[display]\nambiguous_width = 3", "not 3"), ("[display]\nwidth = 10", "not 10"),
    ("[display]\ncolor = \"blue\"", "not \"blue\""), ("[display]\nmouse = 1", "not 1"),
    ("[display]\nambiguous_width = \"2\"", "not \"2\""),
    ("[cache]\ntimeout = 0", "not 0"), ("[cache]\ntimeout = 0.05", "not 0.05"),
    ("[cache]\ntimeout = \"25 h\"", "not \"25 h\""), ("[cache]\nconnect_timeout = 0", "not 0"),
    ("[cache]\npatience = nan", "not nan"), ("[cache]\npatience = inf", "not inf"),
    ("[cache]\nsize_limit = 0", "not 0"), ("[cache]\nrender_limit = \"1 B\"", "not \"1 B\""),
    ("[cache]\npatience = [1, 2]", "not [1, 2]"),
    ("[cache]\npatience = { a = 1 }", "not { \"a\" = 1 }"),
    ("[archive]\nmax_size = 0", "not 0"), ("[archive]\nmax_age = \"59 min\"", "not \"59 min\""),
    ("[identity]\ncert_hosts = \"*.a.test\"", "not \"*.a.test\""),
    ("[[rule]]\nstore = true\nmax_age = 1e300", "not 1e+300"),
    (
      "[[rule]]\nstore = true\nhost = [\"a.test\", 3, \"\"]", "not 3, number 2 of the list"
    ),
    (
      "[[rule]]\nstore = true\nhost = [\"a.test\", \"https://b.test/\"]",
      "not \"https://b.test/\", number 2 of the list"
    ),
    ("[[rule]]\nstore = true\nhost = []", "not []"),
    ("[[rule]]\nstore = true\nhost = [[\"a\"]]", "not [\"a\"]"),
    ("[[rule]]\nstore = true\npath = \"news\"", "not \"news\""),
    ("[[rule]]\nstore = true\nextension = \"*.css\"", "not \"*.css\""),
    ("[[rule]]\nstore = true\nmime_type = \"html\"", "not \"html\""),
    ("[[rule]]\nstore = true\nmethod = \"GET, HEAD\"", "not \"GET, HEAD\""),
    ("[[rule]]\ndrop_parameters = [\"a\", \"b=1\"]", "not \"b=1\", number 2 of the list"),
    ("[[rule]]\nstore = true\nsize = [\"> 5 MB\", \"< 1 MB\"]", "not [\"> 5 MB\", \"< 1 MB\"]"),
    (
      "[[rule]]\nstore = true\nsize = [\"> 5 MB\", \"1 MB\"]",
      "not \"1 MB\", number 2 of the list"
    ),
    ("[[rewrite]]\nset = { DNT = \"1\", X = 2 }", "not \"X\" = 2"),
    ("[[rewrite]]\nset = { X = \"a\\nb\" }", "not \"X\" = \"a\\u000Ab\""),
    ("[[rewrite]]\nset = {}", "not {  }"),
    ("[[rewrite]]\nremove = [\"A\", \"b c\"]", "not \"b c\", number 2 of the list"),
    ("[[rewrite]]\nuser_agent = \"x\"\nhost = \"a/b\"", "not \"a/b\""),
  ])
  func `an invalid value is rejected, and the wrong member of a list or table is named`(
    _ text: String, _ ending: String
  ) {
    let lines = Self.mistakes(text)
    let line = text.split(separator: "\n").count
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(ending) ?? false, "\(lines)")
    #expect(lines.first?.hasPrefix("config.toml:\(line): ") ?? false)
  }

  @Test
  func `unreadable seeds and substitutes are reported with their lines only`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("config.toml")
    let text = """
      [[seed]]
      folder = "mirror"
      [[seed]]
      folder = "."
      [[Seed]]
      Warc = "old.warc.gz"
      [[seed]]
      folder = "config.toml"
      [[substitute]]
      url = "http://a.test/"
      file = "page.html"
      [[substitute]]
      prefix = "http://b.test/"
      file = "config.toml"
      [identity]
      netrc_file = "no netrc"
      """
    try Data(text.utf8).write(to: file)
    let reading = SettingsFile.read(file)
    #expect(reading.settings.seeds.count == 4 && reading.settings.substitutions.count == 2)
    #expect(reading.mistakes.isEmpty && !reading.settings.isSavedOnly)
    let (position, name) = (directory.path, file.path)
    #expect(
      reading.warnings == [
        "\(name):2: [[seed]] folder is skipped: \(position)/mirror: No such file or directory",
        "\(name):6: [[seed]] warc is skipped: \(position)/old.warc.gz: No such file or directory",
        "\(name):8: [[seed]] folder is skipped: \(name): Not a directory",
        "\(name):11: [[substitute]] file is skipped: \(position)/page.html: No such file or directory",
      ])
  }

  @Test
  func `all errors are reported at once, restricting ones first, ordered by line`() {
    let lines = Self.mistakes(
      "[display]\nx = 1\n[cache]\nb = 1\na = [\n\"x = 1\",\n]\n[[rule]]\nc = '''\nd = 1'''\n")
    #expect(
      lines.map { String($0.prefix(14)) } == [
        "config.toml:4:", "config.toml:5:", "config.toml:9:", "config.toml:2:",
      ])
  }

  @Test func `invalid TOML is reported with its line, and random input does not crash`() {
    #expect(Self.mistakes("[cache]\nmode =").first?.hasPrefix("config.toml:2: ") ?? false)
    for (line, advice) in [
      ("theme = nord", "text must be in quotation marks: \"nord\""),
      ("theme = “nord” # x", "text must be in quotation marks: \"nord\""),
      ("linear = Off", "write false, not Off"), ("wide view = true", "expected '=', saw 'v'"),
      ("linear = true\nlinear = true", "cannot redefine existing boolean 'linear'"),
    ] { #expect(Self.mistakes("[display]\n" + line).first?.hasSuffix("TOML: " + advice) == true) }
    #expect(Self.mistakes("a\u{0}b") == ["config.toml: is not text (it contains a NUL byte)"])
    for text in [
      "[", "[[", "]]", "= 1", "\u{FEFF}", "[[rule]]]", "rule = 1", "rule = []", "rule = [1]",
      "[cache.x]", "cache.mode = 1", "a = '''", String(repeating: "[", count: 5000),
      "[[rule]]\nhost = [[\"a\"]]", "[\"rule\"]", "\"\" = 1",
    ] {
      for line in Self.mistakes(text) { #expect(line.hasPrefix("config.toml")) }
    }
  }

  @Test func `a thousand rules are read, each with its own files`() throws {
    let text = String(repeating: "[[rule]]\nstore = true\n[[seed]]\nfolder = \"/x\"\n", count: 1000)
    let settings = Self.parse(text)
    #expect(settings.rules.count == 1000 && settings.seeds.count == 1000)
    let deep = String(repeating: "a.", count: 100_000)
    for text in [deep + "a = 1", "[\(deep)a]", "[[\(deep)a]]", "x = 1\n" + deep] {
      #expect(Self.mistakes(text).count == 1)
    }
  }

  @Test func `a missing file sets nothing, and an unreadable one is an error`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    #expect(SettingsFile.read(directory) == SettingsFile.Reading())
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let reading = SettingsFile.read(directory)
    let message = "\(directory.path): cannot be read: Is a directory"
    #expect(reading.settings.isSavedOnly && reading.mistakes == [message])
  }

  @Test(arguments: [("\"90 s\"", 90.0, "90"), ("\"2h\"", 7200, "\"2 h\""), ("0.5", 0.5, "0.5")])
  func `times and sizes are read with units, and written with the largest exact one`(
    _ text: String, _ seconds: Double, _ written: String
  ) throws {
    let settings = Self.parse("[[rule]]\nmax_age = \(text)")
    #expect(settings.rules.first?.maxAge == seconds)
    #expect(settings.text.contains("max_age = \(written)\n"))
  }
}
