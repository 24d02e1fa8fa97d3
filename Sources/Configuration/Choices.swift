import Library
import Foundation
package import OfflineCache

/// The user's persistent choices made with keys. They take precedence over the settings file, which
/// is never written.
package struct Choices: Codable, Sendable, Equatable {
  /// A chosen theme and the theme in the settings at that time. If the settings have changed since,
  /// they take precedence.
  struct ChosenTheme: Codable, Sendable, Equatable {
    var name: String
    var insteadOf: String?

    private enum CodingKeys: String, CodingKey {
      case name = "name"
      case insteadOf = "insteadOf"
    }
  }

  /// The chosen theme; nil if none was chosen.
  private var theme: ChosenTheme?
  /// The views in which the pages of sites open, by host and port; nil if none were chosen.
  private var views: [String: String]?

  /// Whether the comments of pages open unfolded, by host and port of the site; nil if none were
  /// chosen.
  private var comments: [String: Bool]?

  /// The cookie decisions, by registrable domain; nil if there are none.
  private var cookies: [String: CookieChoice]?

  private enum CodingKeys: String, CodingKey {
    case theme = "theme"
    case views = "views"
    case comments = "comments"
    case cookies = "cookies"
  }

  package init() {}

  /// The cookie decisions, by registrable domain.
  package var cookieChoices: [String: CookieChoice] { cookies ?? [:] }

  /// A single choice.
  package enum Choice: Sendable, Equatable {
    /// A theme, or nil for the one in the settings; `insteadOf` is the theme that the settings
    /// specify now.
    case theme(String?, insteadOf: String?)
    /// The view in which the pages of a site open, or nil for the one in the settings.
    case view(ReadingPreference.View?, site: String)
    /// Whether the comments on the pages of a site open unfolded.
    case comments(isOpen: Bool, site: String)
    /// The cookie decision for a site; nil removes it, so that offread asks again.
    case cookies(CookieChoice?, site: String)

    /// The choice as it is stored: a decision for the session only is stored as no decision.
    var persistent: Choice {
      if case .cookies(.session, let site) = self { return .cookies(nil, site: site) }
      return self
    }
  }

  /// Applies a choice.
  package mutating func apply(_ choice: Choice) {
    switch choice {
    case .theme(let name, let old):
      theme = name.map { ChosenTheme(name: $0, insteadOf: old) }
    case .view(let view, let site):
      views = (views ?? [:]).merging([site: view?.rawValue ?? ""]) { $1 }
        .filter { !$0.value.isEmpty }
    case .comments(let isOpen, let site):
      var comments = comments ?? [:]
      comments[site] = isOpen ? true : nil
      self.comments = comments.isEmpty ? nil : comments
    case .cookies(let choice, let site):
      var cookies = cookies ?? [:]
      cookies[site] = choice
      self.cookies = cookies.isEmpty ? nil : cookies
    }
  }

  /// Returns the chosen theme; nil if there is none, or if the theme in the settings has changed
  /// since it was chosen.
  package func theme(insteadOf setting: String?) -> String? {
    theme.flatMap { $0.insteadOf == setting ? $0.name : nil }
  }

  /// The chosen views as reading preferences, like those of the settings.
  package var readingPreferences: [ReadingPreference] {
    (views ?? [:]).sorted { $0.key < $1.key }.map { site, view in
      var preference = ReadingPreference()
      preference.hosts = [site]
      preference.view = ReadingPreference.View(rawValue: view)
      return preference
    }
  }

  /// Returns whether the comments of a page open unfolded.
  package func opensComments(of url: String) -> Bool {
    Self.site(of: url).flatMap { comments?[$0] } ?? false
  }

  /// Returns the key under which the choices for the site of a page are stored: its host and port;
  /// nil unless the URL is an HTTP(S) URL with a host.
  package static func site(of url: String) -> String? {
    guard let url = WebURL(url), url.isWeb, let host = url.host, !host.isEmpty,
      !host.contains("*")
    else { return nil }
    return url.port.map { "\(host):\($0)" } ?? host
  }
}
