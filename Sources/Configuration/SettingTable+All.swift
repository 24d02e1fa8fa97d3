import Library
import Foundation
import DOM
import OfflineCache

/// All tables and settings of the settings file.
extension SettingTable {
  /// The tables, in the order in which they are printed.
  static let all = [
    display, images, keys, cache, identity, archive, library, sync, refresh, feed, hooks, reader,
    rule, rewrite, substitute, seed, remote, zim, render,
  ]

  /// 1000 years in seconds, the upper limit of times.
  private static let thousandYears: Double = 365_250 * 86_400

  private static let display = SettingTable(
    "display", \.self, located: ("theme", \.themeLocation),
    [
      .text("theme", "the name of a theme", \.theme),
      SettingKey(
        "width", "a number of columns from 20 to 500",
        parse: { value in
          if case .integer(let columns) = value, (20...500).contains(columns) {
            columns
          } else {
            nil
          }
        }, write: { String($0) }, set: { $0.textWidth = $1 }, get: { $0.textWidth }),
      .choice("color", \.color),
      .flag("mouse", \.usesMouse), .flag("ascii", \.isASCII),
      .flag("linear", \.isLinear), .flag("color_code", \.highlightsCode),
      .text("opener", "a command such as \"xdg-open %s\"", \.opener),
      .text("player", "a command such as \"mpv %s\"", \.player),
      SettingKey(
        "ambiguous_width", "1 or 2",
        parse: { value in
          if case .integer(let columns) = value, (1...2).contains(columns) {
            columns
          } else {
            nil
          }
        }, write: { String($0) }, set: { $0.ambiguousWidth = $1 },
        get: { $0.ambiguousWidth }),
      .choice("bidi", \.bidi),
    ])

  private static let images = SettingTable(
    "images", \.self,
    [
      SettingKey(
        "show", "one of " + Settings.ImageChoice.allCases.map(\.rawValue).joined(separator: ", "),
        parse: { value in
          if case .text(let text) = value { Settings.ImageChoice(rawValue: text) } else { nil }
        }, write: { TOMLText.quoted($0.rawValue) }, set: { $0.images = $1 }, get: { $0.images })
    ])

  private static let keys = SettingTable(names: "keys", \.keys)

  private static let cache = SettingTable(
    "cache", \.load, isSafetyCritical: true,
    [
      .mode("mode") { options, mode in
        options.mode = mode
        // A rule may override the mode.
        options.isModeChosen = false
      } get: {
        $0.mode
      },
      .seconds(
        "patience", "a time from 0 to a day, such as 2, 0.5 or \"1 min\"", in: 0...86_400,
        \.fallbackDelay),
      .seconds(
        "connect_timeout", "a time from 0.1 seconds to a day, such as 5 or \"1 min\"",
        in: LoadOptions.timeLimitRange, \.connectTimeout),
      .seconds(
        "timeout", "a time from 0.1 seconds to a day, such as 60 or \"5 min\"",
        in: LoadOptions.timeLimitRange, \.limitedTotalTimeout),
      .bytes("size_limit", \.maxSize),
      .bytes("render_limit", \.maxRenderedSize),
      .flag("respect_no_store", \.respectsNoStore),
      .flag("respect_no_cache", \.respectsNoCache),
    ])

  private static let identity = SettingTable(
    "identity", \.identity, isSafetyCritical: true,
    [
      .flag("cookies", \.keepsCookies), .file("cookie_file", \.cookieFile),
      .flag("netrc", \.usesNetrc), .file("netrc_file", \.netrcFile),
      .file("cert", \.certificateFile), .file("key", \.keyFile),
      .texts("cert_hosts", "a host such as \"www.example.org\", or a list", \.certificateHosts) {
        PatternText.isHost($0) && !$0.contains("*")
      },
      .file("cacert", \.authorities),
    ])

  private static let archive = SettingTable(
    "archive", \.storage,
    [
      .bytes("max_size", \.bytes),
      // The last use of a page is recorded to the hour.
      .seconds(
        "max_age", "a time from 1 hour to 1000 years, such as \"52 w\"", in: 3600...thousandYears,
        \.age),
      SettingKey(
        "max_versions", "a number of versions, at least 1",
        parse: { value in
          if case .integer(let count) = value, (1...1_000_000).contains(count) {
            count
          } else {
            nil
          }
        }, write: { String($0) }, set: { $0.versions = $1 }, get: { $0.versions }),
    ])

  private static let library = SettingTable(
    "library", \.self, [.flag("drop_tracking", \.dropsTracking)])

  private static let sync = SettingTable(
    "sync", \.sync,
    [
      .seconds("interval", intervalValues, in: 60...thousandYears, \.interval),
      .seconds("feed_interval", intervalValues, in: 60...thousandYears, \.feedInterval),
      SettingKey(
        "feed_items", "a number of items, 0 for all",
        parse: { value in
          if case .integer(let count) = value, (0...100_000).contains(count) { count } else { nil }
        }, write: { String($0) }, set: { $0.feedItems = $1 }, get: { $0.feedItems }),
      .seconds(
        "undo_time", "a time up to 1000 years, such as \"7 d\"", in: 0...thousandYears, \.undoTime),
    ])

  private static let intervalValues = "a time of at least 1 minute, such as \"12 h\" or \"1 w\""

  private static let refresh = SettingTable(
    each: "refresh", \.refreshes, empty: { RefreshRule() },
    check: {
      $0.tag.isEmpty || $0.interval == nil ? (nil, "[[refresh]] needs tag and every") : nil
    },
    [
      SettingKey(
        "tag", "a tag",
        parse: { value in
          if case .text(let text) = value { LibraryAttribute.tag(text) } else { nil }
        }, write: TOMLText.quoted, set: { $0.tag = $1 },
        get: { $0.tag.isEmpty ? nil : $0.tag }),
      .seconds("every", intervalValues, in: 60...thousandYears, \.interval),
    ])

  private static let feed = SettingTable(
    each: "feed", \.feeds, empty: { FeedRule() },
    check: { rule in
      if rule.isFilter, rule.action == nil, rule.tag == nil {
        return (nil, "[[feed]] with match or regex needs do or tag")
      }
      if !rule.isFilter, rule.action != nil || rule.tag != nil || !rule.fields.isEmpty {
        return (nil, "[[feed]] with do, tag or in needs match or regex")
      }
      return rule.isFilter || rule.isForFeed
        ? nil : (nil, "[[feed]] sets nothing: it needs text, enclosures, match or regex")
    },
    [
      .texts("url", "the URL of a feed such as \"https://example.org/*\", or a list", \.urlGlobs) {
        !$0.isEmpty
      },
      .choice("text", \.text), .choice("enclosures", \.enclosures),
      .bytes("file_limit", \.fileLimit), .bytes("feed_limit", \.feedLimit),
      .texts("match", "a word, or a list of them", \.terms) { !$0.isEmpty },
      .text("regex", "a regular expression", \.pattern) { (try? FeedRule.expression($0)) != nil },
      SettingKey(
        "in", "title, text, author or category, or a list of them",
        parse: { value in
          value.texts.flatMap { texts in
            let fields = texts.compactMap(FeedRule.Field.init(rawValue:))
            return fields.count == texts.count ? fields : nil
          }
        }, write: { TOMLText.list($0.map(\.rawValue)) }, set: { $0.fields = $1 },
        get: { $0.fields.isEmpty ? nil : $0.fields }),
      .choice("do", \.action),
      SettingKey(
        "tag", "a tag",
        parse: { value in
          if case .text(let text) = value { LibraryAttribute.tag(text) } else { nil }
        }, write: TOMLText.quoted, set: { $0.tag = $1 }, get: { $0.tag }),
    ])

  private static let hooks = SettingTable(
    "hooks", \.hooks,
    [
      SettingKey(
        "read",
        "a command such as \"mark-read {url}\" without a shell, or a list of its words",
        parse: { value -> HookCommand? in
          if case .text(let line) = value { return HookCommand(line: line) }
          return value.texts.flatMap(HookCommand.init(words:))
        }, write: { TOMLText.list($0.words) }, set: { $0.readCommand = $1 }, get: { $0.readCommand }
      ),
      .texts(
        "feeds", "the URL of a feed such as \"https://example.org/*\", or a list", \.feeds
      ) {
        !$0.isEmpty
      },
      .seconds(
        "timeout", "a time from 1 second to 5 minutes, such as 20", in: 1...300, \.timeout),
    ])

  private static let reader = SettingTable(
    each: "reader", \.readingPreferences, empty: { ReadingPreference() },
    check: {
      $0.view == nil && $0.contentSelectors.isEmpty && $0.removedSelectors.isEmpty
        ? (nil, "[[reader]] sets nothing: it needs view, keep or drop") : nil
    },
    [
      .texts(
        "host", "a host such as \"*.example.org\", or a list of them", \.hosts,
        where: PatternText.isHost),
      SettingKey(
        "view", "page or reader",
        parse: { value in
          if case .text(let text) = value { ReadingPreference.View(rawValue: text) } else { nil }
        }, write: { TOMLText.quoted($0.rawValue) }, set: { $0.view = $1 }, get: { $0.view }),
      .texts("keep", selectorValues, \.contentSelectors) { ComplexSelector.parseList($0) != nil },
      .texts("drop", selectorValues, \.removedSelectors) { ComplexSelector.parseList($0) != nil },
    ])

  private static let selectorValues =
    "a selector such as \"div.post\" or \"main > #text\", or a list of them"

  private static let rule = SettingTable(
    each: "rule", \.rules, isSafetyCritical: true, empty: { Rule() }, check: check,
    [
      .texts(
        "host", "a host such as \"*.example.org\", or a list of them", \.hosts,
        where: PatternText.isHost),
      .texts(
        "path", "a path such as \"/news/*\", or a list of them", \.paths,
        where: PatternText.isPath),
      .texts(
        "extension", "an extension such as \"css\", or a list of them", \.extensions,
        where: PatternText.isExtension),
      .texts(
        "mime_type", "a media type such as \"image/*\", or a list of them", \.mediaTypes,
        where: PatternText.isMediaType),
      SettingKey(
        "size",
        "a comparison such as \"> 5 MB\", or a list of two that do not contradict each other",
        parse: { SizeRange($0) }, write: { $0.text },
        set: { ($0.minSize, $0.maxSize) = ($1.minimum, $1.maximum) },
        get: { rule in
          rule.minSize == nil && rule.maxSize == nil
            ? nil : SizeRange(minimum: rule.minSize, maximum: rule.maxSize)
        }),
      .texts(
        "method", "a method such as \"GET\", or a list of them", \.methods,
        where: FieldTable.isName),
      .flag("store", \.stores),
      .mode("mode") {
        $0.mode = $1
      } get: {
        $0.mode
      },
      .seconds(
        "max_age", "a time up to 1000 years, such as 3600 or \"7 d\"", in: 0...thousandYears,
        \.maxAge),
      .flag("access_control_max_age", \.usesAccessControlMaxAge),
      .texts(
        "drop_parameters", "a name such as \"utm_*\", or a list of them", \.droppedParameters
      ) {
        !$0.isEmpty && !$0.contains { "&=#".contains($0) }
      },
      .flag("sort_query", \.sortsQuery),
      .flag("fold_case", \.ignoresCase),
      .text("cache_key", "a URL or a name", \.fixedKey),
      .text(
        "cache_key_header", "the name of a header field", \.keyField, where: FieldTable.isName),
      .text(
        "cache_key_answer_header", "the name of a header field", \.responseKeyField,
        where: FieldTable.isName),
    ])

  private static func check(_ rule: Rule) -> (key: String?, message: String)? {
    let early: [(String, Bool)] = [
      ("mode", rule.mode != nil), ("drop_parameters", rule.droppedParameters != nil),
      ("sort_query", rule.sortsQuery != nil), ("fold_case", rule.ignoresCase != nil),
      ("cache_key", rule.fixedKey != nil), ("cache_key_header", rule.keyField != nil),
      ("cache_key_answer_header", rule.responseKeyField != nil),
    ]
    if rule.needsResponse, let first = early.first(where: \.1) {
      return (
        first.0,
        "\(first.0) is needed before the response arrives and cannot depend on mime_type or size"
      )
    }
    let setsNothing =
      rule.stores == nil && rule.maxAge == nil && rule.usesAccessControlMaxAge == nil
      && !early.contains(where: \.1)
    return setsNothing ? (nil, "[[rule]] sets nothing: add a setting such as store = false") : nil
  }

  private static let rewrite = SettingTable(
    each: "rewrite", \.rewrites, isSafetyCritical: true, empty: { Rewrite() }, check: check,
    [
      .text("prefix", "the prefix of a URL", \.prefix),
      .texts(
        "host", "a host such as \"*.example.org\", or a list of them", \.hosts,
        where: PatternText.isHost),
      .text("to", "an http or https URL without a query", \.target),
      SettingKey(
        "set", "a table of header fields such as { DNT = \"1\" }", parse: { FieldTable($0) },
        write: { $0.text }, set: { $0.setFields($1.fields) },
        get: { rewrite in
          let fields = rewrite.fields.filter { !FieldTable.isUserAgent($0) }
          return fields.isEmpty ? nil : FieldTable(fields: fields)
        }),
      SettingKey(
        "remove", "the name of a header field, or a list of them",
        parse: { $0.texts.flatMap { $0.allSatisfy(FieldTable.isName) ? $0 : nil } },
        write: TOMLText.list, set: { $0.removedFields = $1 },
        get: { $0.removedFields.isEmpty ? nil : $0.removedFields }),
      SettingKey(
        "user_agent", "a line of text",
        parse: { value in
          if case .text(let text) = value, FieldTable.isValue(text) { text } else { nil }
        },
        write: TOMLText.quoted, set: { $0.setFields([.init("User-Agent", $1)]) },
        get: { $0.fields.first(where: FieldTable.isUserAgent)?.value }),
      .text("proxy", "a URL such as \"socks5h://localhost:9050\", or \"\" for none", \.proxy) {
        ProxyURL.isValid($0)
      },
      .flag("key_by_target", \.keysByTarget),
    ])

  private static func check(_ rewrite: Rewrite) -> (key: String?, message: String)? {
    var parts = rewrite
    parts.target = nil
    if !parts.isValid { return ("prefix", "prefix takes an absolute URL without a query") }
    if !rewrite.isValid { return ("to", "to takes an http or https URL without a query") }
    parts = rewrite
    (parts.prefix, parts.hosts) = (nil, [])
    return parts == Rewrite()
      ? (nil, "[[rewrite]] changes nothing: it needs to, set, remove, user_agent or proxy") : nil
  }

  private static let substitute = SettingTable(
    each: "substitute", \.substitutions,
    empty: { Substitution(.url(""), file: URL(fileURLWithPath: "")) }, check: check,
    alternatives: ["url", "prefix"],
    [
      SettingKey(
        "url", "one absolute URL", parse: { $0.url }, write: TOMLText.quoted,
        set: { $0.source = .url($1) },
        get: { if case .url(let url) = $0.source, !url.isEmpty { url } else { nil } }),
      SettingKey(
        "prefix", "the prefix of a URL, without a query", parse: { $0.url },
        write: TOMLText.quoted, set: { $0.source = .prefix($1) },
        get: { if case .prefix(let url) = $0.source { url } else { nil } }),
      .path("file") {
        $0.file = $1
      } get: {
        $0.file
      },
    ])

  private static func check(_ substitution: Substitution) -> (key: String?, message: String)? {
    if case .url("") = substitution.source {
      return (nil, "[[substitute]] needs url or prefix, and file")
    }
    if !substitution.isValid { return ("prefix", "prefix takes a URL without a query") }
    return substitution.file.path == URL(fileURLWithPath: "").path
      ? (nil, "[[substitute]] needs file: a file or a directory") : nil
  }

  private static let seed = SettingTable(
    each: "seed", \.seeds, empty: { Seed.folder(URL(fileURLWithPath: "")) },
    check: {
      $0 == .folder(URL(fileURLWithPath: ""))
        ? (nil, "[[seed]] needs folder or warc") : nil
    }, alternatives: ["folder", "warc"],
    [
      .path("folder") {
        $0 = .folder($1)
      } get: {
        if case .folder(let url) = $0 { url } else { nil }
      },
      .path("warc") {
        $0 = .warc($1)
      } get: {
        if case .warc(let url) = $0 { url } else { nil }
      },
    ])

  private static let remote = SettingTable(
    each: "remote", \.remotes, isSafetyCritical: true, empty: { RemoteArchive(timeMap: "") },
    check: { $0.timeMap.isEmpty ? (nil, "[[remote]] needs timemap") : nil },
    [
      SettingKey(
        "timemap", "an http or https URL, to which the URL of a page is appended",
        parse: { value in
          guard case .text(let text) = value, let url = WebURL(text), url.isWeb,
            url.credentials == nil
          else { return nil }
          return text
        }, write: TOMLText.quoted, set: { $0.timeMap = $1 },
        get: { $0.timeMap.isEmpty ? nil : $0.timeMap })
    ])

  private static let zim = SettingTable("zim", \.self, [.paths("files", \.zimFiles)])

  private static let render = SettingTable(
    "render", \.render, isSafetyCritical: true,
    [
      SettingKey(
        "command", "the name or path of a Chromium browser",
        parse: { value in
          guard case .text(let text) = value, !text.isEmpty, !text.hasPrefix("-"),
            text.hasPrefix("/") || !text.contains("/")
          else { return nil }
          return text
        }, write: TOMLText.quoted, set: { $0.command = $1 }, get: { $0.command })
    ])
}

extension SettingKey {
  /// Creates a setting whose value is a file and may be unset.
  fileprivate static func file(
    _ name: String, _ property: any WritableKeyPath<Subject, URL?> & Sendable
  ) -> SettingKey {
    .path(name) {
      $0[keyPath: property] = $1
    } get: {
      $0[keyPath: property]
    }
  }

  /// Creates a setting whose value is one of the load modes.
  fileprivate static func mode(
    _ name: String, set: @escaping @Sendable (inout Subject, LoadMode) -> Void,
    get: @escaping @Sendable (Subject) -> LoadMode?
  ) -> SettingKey {
    SettingKey(
      name, "one of " + LoadMode.allCases.map(\.rawValue).joined(separator: ", "),
      parse: { value in
        if case .text(let text) = value { LoadMode(rawValue: text) } else { nil }
      }, write: { TOMLText.quoted($0.rawValue) }, set: set, get: get)
  }
}

extension LoadOptions {
  /// The time limit of the whole transfer; setting it also caps the limits of the individual
  /// phases.
  fileprivate var limitedTotalTimeout: Double {
    get { totalTimeout }
    set { limitTotal(to: newValue) }
  }
}

extension SettingValue {
  /// The text if the value is an absolute URL; nil otherwise.
  fileprivate var url: String? {
    if case .text(let text) = self, WebURL(text)?.host != nil { text } else { nil }
  }
}

extension Rewrite {
  fileprivate mutating func setFields(_ added: [FieldLines.Field]) {
    fields += added
  }
}
