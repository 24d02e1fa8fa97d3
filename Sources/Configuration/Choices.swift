import Library
package import Foundation
package import OfflineCache

/// What a reader chose with a key, for good: it goes before the settings file, in which nothing is
/// written.
package struct Choices: Codable, Sendable, Equatable {
  /// A theme, and what the settings had when it was chosen: where they say something else since, they
  /// are the later choice.
  struct ChosenTheme: Codable, Sendable, Equatable {
    var name: String
    var insteadOf: String?
  }

  private var theme: ChosenTheme?
  /// The views in which the pages of sites open, by host and port.
  private var views: [String: String]?

  /// Whether the cookies of sites are kept, by registrable domain.
  private var cookies: [String: CookieChoice]?

  package init() {}

  /// Whether the cookies of sites are kept, by registrable domain.
  package var cookieChoices: [String: CookieChoice] { cookies ?? [:] }

  /// One choice.
  package enum Choice: Sendable, Equatable {
    /// A theme, or nil for that of the settings, which have this one.
    case theme(String?, insteadOf: String?)
    /// The view in which the pages of a site open, or nil for that of the settings.
    case view(ReadingPreference.View?, site: String)
    /// The decision about the cookies of a site; nil removes it, so that offread asks again.
    case cookies(CookieChoice?, site: String)

    /// The choice as written to the file of choices: a decision for this session only is stored as none.
    var lasting: Choice {
      if case .cookies(.session, let site) = self { return .cookies(nil, site: site) }
      return self
    }
  }

  /// Takes a choice.
  package mutating func take(_ choice: Choice) {
    switch choice {
    case .theme(let name, let old):
      theme = name.map { ChosenTheme(name: $0, insteadOf: old) }
    case .view(let view, let site):
      views = (views ?? [:]).merging([site: view?.rawValue ?? ""]) { $1 }
        .filter { !$0.value.isEmpty }
    case .cookies(let choice, let site):
      var cookies = cookies ?? [:]
      cookies[site] = choice
      self.cookies = cookies.isEmpty ? nil : cookies
    }
  }

  /// The theme that was chosen when the settings had this one, as they still have.
  package func theme(insteadOf setting: String?) -> String? {
    theme.flatMap { $0.insteadOf == setting ? $0.name : nil }
  }

  /// The chosen views as the settings would have them.
  package var reading: [ReadingPreference] {
    (views ?? [:]).sorted { $0.key < $1.key }.map { site, view in
      var preference = ReadingPreference()
      preference.hosts = [site]
      preference.view = ReadingPreference.View(rawValue: view)
      return preference
    }
  }

  /// What the views of the pages of a site are kept under; nil for what is of no site.
  package static func site(of url: String) -> String? {
    guard let url = WebURL(url), url.isWeb, let host = url.host, !host.isEmpty,
      !host.contains("*")
    else { return nil }
    return url.port.map { "\(host):\($0)" } ?? host
  }
}

/// Where choices are written down. Every method blocks and may be called from any thread; several
/// processes may use the same file at once.
package struct ChoiceFile: Sendable {
  private let file: URL

  /// Names the file; nothing is opened yet.
  package init(file: URL) {
    self.file = file
  }

  /// What was chosen; nothing when it cannot be read.
  package var choices: Choices {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Choices.self, from: $0) }
      ?? Choices()
  }

  /// Writes a choice down.
  /// - Throws: `ArchiveError` when it cannot be written.
  package func add(_ choice: Choices.Choice) throws(ArchiveError) {
    let state = StateFile(file: file)
    let opened = try state.locked()
    defer { opened.unlock() }
    var choices = choices
    choices.take(choice.lasting)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(choices) else { return }
    try state.replace(with: Array(text) + [10])
  }
}
