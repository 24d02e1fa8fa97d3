import Foundation
import Layout
import Pages
import Testing

@testable import Terminal
@testable import TerminalUI

@Suite struct ThemeTests {
  private static let themes = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("themes")

  private func theme(_ toml: String) throws -> Theme {
    try Theme(name: "test", toml: toml) { name throws(Theme.FileError) in
      throw Theme.FileError(description: "no \(name)")
    }
  }

  @Test func `every shipped theme is valid and has colours or attributes`() {
    let (themes, mistakes) = Theme.loadAll(in: [Self.themes])
    #expect(mistakes == [])
    #expect(themes.count >= 8)
    #expect(themes.contains { $0.name == "default-dark" })
    #expect(themes.contains { $0.name == "default-light" })
    for theme in themes {
      #expect(!theme.appearances.isEmpty, "\(theme.name)")
      #expect(theme[.link] != theme[.text], "\(theme.name): links look like text")
    }
  }

  @Test func `with an unknown background colours are readable on black and on white`()
    throws
  {
    for role in Role.allCases {
      guard let ink = Theme.anyBackground[role].foreground else { continue }
      let luminance = try Self.luminance(ink)
      #expect(min(1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05) >= 4.5, "\(role)")
    }
    func name(_ names: [String], _ isDark: Bool?) -> String {
      Theme.themeForPrinting(Theme.loadAll(in: [Self.themes]).themes, chosen: names, isDark: isDark)
        .name
    }
    #expect(name([], true) == "default-dark" && name([], false) == "default-light")
    #expect(name(["nord"], false) == "nord" && name(["gone"], true) == "default-dark")
    #expect(name(["gone"], nil) == Theme.anyBackground.name)
  }

  @Test(
    arguments: [
      ("15;0", true), ("0;15", false), ("15;default;0", true), ("0;default;7", false),
      ("12;8", true),
      ("", nil), ("15;default", nil), ("0;77", nil),
    ] as [(String, Bool?)])
  func `the environment may indicate whether the background is dark`(
    _ value: String, _ isDark: Bool?
  ) {
    #expect(TerminalBackground.isDark(["COLORFGBG": value]) == isDark)
    #expect(TerminalBackground.isDark([:]) == nil)
  }

  /// Returns the relative luminance of a colour (WCAG 2.2).
  private static func luminance(_ color: Theme.Color) throws -> Double {
    guard case .rgb(let red, let green, let blue) = color else {
      throw Theme.FileError(description: "a colour of the terminal has no luminance")
    }
    let parts = [red, green, blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test func `every role of every shipped theme has a contrast of at least 4.5 to 1`() throws {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      let paper = try #require(theme.background, "\(theme.name)")
      for role in Role.allCases {
        guard let ink = theme[role].foreground else { continue }
        let levels = [
          try Self.luminance(ink), try Self.luminance(theme[role].background ?? paper),
        ].sorted()
        let contrast = (levels[1] + 0.05) / (levels[0] + 0.05)
        #expect(contrast >= 4.5, "\(theme.name), \(role): \(contrast)")
      }
    }
  }

  @Test func `progress bars and saved-link markers are no brighter than links`() throws {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      guard let dim = theme[.dim].foreground, let link = theme[.link].foreground else { continue }
      let paper = try Self.luminance(try #require(theme.background))
      func distance(_ color: Theme.Color) throws -> Double {
        abs(try Self.luminance(color) - paper)
      }
      #expect(try distance(dim) <= distance(link), "\(theme.name)")
    }
  }

  @Test func `links to pages that were read, and buttons, differ from other links`() {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      #expect(theme[.visited] != theme[.link] && theme[.visited] != theme[.text], "\(theme.name)")
      #expect(theme[.button] != theme[.link] && theme[.button] != theme[.text], "\(theme.name)")
    }
  }

  @Test func `comments in code differ without colours, and all token kinds with them`() {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      #expect(theme[.comment].attributes == .italic, "\(theme.name)")
      let roles = [Role.string, .number, .keyword]
      for role in roles {
        #expect(theme[role].attributes == theme[.code].attributes, "\(theme.name)")
      }
      guard theme[.code].foreground != nil else { continue }
      let colours = ([Role.comment, .code] + roles).map { theme[$0].foreground }
      #expect(Set(colours).count == colours.count, "\(theme.name)")
    }
  }

  @Test func `nothing is distinguished only by colour`() {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      for role in [Role.heading, .link, .focus, .currentMatch, .error, .notice] {
        #expect(!theme[role].attributes.isEmpty, "\(theme.name), \(role)")
      }
    }
  }

  @Test func `offread-themes(5) lists every role, attribute and colour`() throws {
    let page = Self.themes.deletingLastPathComponent().appendingPathComponent(
      "man/offread-themes.5")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    for role in Role.allCases { #expect(text.contains(".It Ic \(role.rawValue)\n"), "\(role)") }
    for name in Theme.Attributes.names.keys { #expect(text.contains(".Ic \(name) ")) }
    for name in Theme.Color.names.prefix(8) { #expect(text.contains(" \(name) ,")) }
  }

  @Test func `a user's theme takes precedence over a shipped one, and can inherit from others`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("themes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data("inherits = \"nord\"\n[roles]\nlink = { bold = true }".utf8)
      .write(to: directory.appendingPathComponent("mono.toml"))
    try Data("[roles]\nlink = 3".utf8).write(
      to: directory.appendingPathComponent("broken\u{1B}.toml"))
    let (themes, mistakes) = Theme.loadAll(in: [Self.themes, directory])
    let own = try #require(themes.first { $0.name == "mono" })
    let nord = try #require(themes.first { $0.name == "nord" })
    #expect(own[.heading] == nord[.heading] && own[.link] == .init(attributes: .bold))
    #expect(themes.count { $0.name == "mono" } == 1)
    #expect(mistakes.count == 1 && !mistakes[0].description.contains("\u{1B}"))
  }

  @Test func `palette names, palette indices and attributes are parsed`() throws {
    let theme = try theme(
      """
      [palette]
      sky = "#3366ff"
      [roles]
      heading = { fg = "sky", bold = true }
      link = { fg = "ansi:12", underline = true, bold = false }
      focus = { fg = "bright-white", bg = "blue" }
      """)
    #expect(theme[.heading] == .init(foreground: .rgb(0x33, 0x66, 0xFF), attributes: .bold))
    #expect(theme[.link] == .init(foreground: .palette(12), attributes: .underline))
    #expect(theme[.focus] == .init(foreground: .palette(15), background: .palette(4)))
    #expect(theme[.text] == .init())
  }

  @Test(
    arguments: [
      ("[roles]\nheding = { bold = true }", "no role named heding"),
      ("[roles]\nlink = { fg = \"#12\" }", "link: fg is not a colour"),
      ("[roles]\nlink = { bold = 3 }", "link: bold must be true or false"),
      ("[roles]\nlink = { blink = true }", "link: there is no attribute named blink"),
      ("[roles]\nlink = 7", "link is not a table"),
      ("[roles\n", "line 1"),
      ("inherits = \"gone\"", "no gone"),
      ("a = 1\n\u{0}", "NUL"),
      ("\u{1}\u{2}= [[[", "line"),
    ] as [(String, String)])
  func `an error message names the problem`(_ toml: String, _ message: String) {
    let error = #expect(throws: Theme.FileError.self) { try theme(toml) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "none")")
  }

  @Test
  func `a role missing in a theme has its parent's colours and its own attributes`()
    throws
  {
    let theme = try theme("[roles]\nlink = { fg = \"red\", bg = \"white\", italic = true }")
    #expect(
      theme[.button]
        == .init(foreground: .palette(1), background: .palette(7), attributes: .bold))
    #expect(theme[.visited].foreground == .palette(1) && theme[.visited] != theme[.link])
    #expect(theme[.heading] == .init(attributes: .bold), "the text colours are not defined")
    let paper = try self.theme("[roles]\ntext = { fg = \"black\", bg = \"white\" }")
    #expect(paper[.status] == paper[.text])
    #expect(paper[.button].background == .palette(7), "inherited from the parent's parent")
    #expect(paper[.focus] == Theme.plain[.focus], "overlays do not inherit from text")
  }

  @Test func `role hierarchies are finite, and only quiet roles look like text by default`() {
    for role in Role.allCases {
      var ancestors: [Role] = []
      var next = role.defaultStyle.parent
      while let parent = next, ancestors.count < Role.allCases.count {
        ancestors.append(parent)
        next = parent.defaultStyle.parent
      }
      #expect(next == nil && !ancestors.contains(role), "\(role)")
    }
    let quiet = Role.allCases.filter { Theme.plain[$0] == Theme.plain[.text] }
    #expect(quiet == [.text, .code, .dim, .quote, .string, .number, .keyword, .status, .prompt])
  }

  @Test func `a theme that inherits from itself is an error`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread-themes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data("inherits = \"b\"".utf8).write(to: directory.appendingPathComponent("a.toml"))
    try Data("inherits = \"a\"".utf8).write(to: directory.appendingPathComponent("b.toml"))
    let (themes, mistakes) = Theme.loadAll(in: [directory])
    #expect(themes.isEmpty && mistakes.count == 2)
  }

  @Test func `a theme file that cannot be read is reported instead of replaced by another`() throws
  {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("themes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    // A directory has the name of a theme that is shipped.
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("mono.toml"), withIntermediateDirectories: true)
    let (themes, mistakes) = Theme.loadAll(in: [Self.themes, directory])
    #expect(!themes.isEmpty && !themes.contains { $0.name == "mono" })
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.description.contains("cannot be read") == true)
  }
}
