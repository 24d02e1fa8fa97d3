import Foundation
import Layout
import Reader
import Testing

@Suite struct ThemeTests {
  private static let themes = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("themes")

  private func theme(_ toml: String) throws -> Theme {
    try Theme(name: "test", toml: toml) { name throws(Theme.FileError) in
      throw Theme.FileError(description: "no \(name)")
    }
  }

  @Test("Every theme that ships is free of mistakes and has colours or attributes")
  func shippedThemes() {
    let (themes, mistakes) = Theme.all(in: Self.themes)
    #expect(mistakes == [])
    #expect(themes.count >= 8)
    #expect(themes.contains { $0.name == "default-dark" })
    #expect(themes.contains { $0.name == "default-light" })
    for theme in themes {
      #expect(!theme.appearances.isEmpty, "\(theme.name)")
      #expect(theme[.link] != theme[.text], "\(theme.name): links look like text")
    }
  }

  @Test("Palette names, palette indices and attributes are read")
  func roles() throws {
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
    "A mistake names what is wrong",
    arguments: [
      ("[roles]\nheding = { bold = true }", "no role named heding"),
      ("[roles]\nlink = { fg = \"#12\" }", "link: fg is not a colour"),
      ("[roles]\nlink = { bold = 3 }", "link: bold is true or false"),
      ("[roles]\nlink = { blink = true }", "link: there is no attribute named blink"),
      ("[roles]\nlink = 7", "link is not a table"),
      ("[roles\n", "line 1"),
      ("inherits = \"gone\"", "no gone"),
      ("a = 1\n\u{0}", "NUL"),
      ("\u{1}\u{2}= [[[", "line"),
    ])
  func mistakes(_ toml: String, _ words: String) {
    let error = #expect(throws: Theme.FileError.self) { try theme(toml) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test("A theme that inherits from itself is a mistake, not a hang")
  func circle() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread-themes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("inherits = \"b\"".utf8).write(to: folder.appendingPathComponent("a.toml"))
    try Data("inherits = \"a\"".utf8).write(to: folder.appendingPathComponent("b.toml"))
    let (themes, mistakes) = Theme.all(in: folder)
    #expect(themes.isEmpty && mistakes.count == 2)
  }
}
