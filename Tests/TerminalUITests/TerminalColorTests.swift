import Configuration
import Foundation
import Document
import Layout
import Reader
import Testing

@testable import Terminal
@testable import TerminalUI

@Suite struct TerminalColorTests {
  struct DepthRow: Sendable, CustomTestStringConvertible {
    var choice: Settings.ColorChoice
    var environment: [String: String]
    var colors: Int
    var expected: ColorDepth
    var testDescription: String { "\(choice) \(environment) \(colors)" }
    init(
      _ choice: Settings.ColorChoice, _ environment: [String: String], _ colors: Int,
      _ expected: ColorDepth
    ) {
      self.choice = choice
      self.environment = environment
      self.colors = colors
      self.expected = expected
    }
  }

  private static let themes = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("themes")

  /// Roles that are not tested are recognizable by position, by a bar before each line, or by their
  /// text.
  @Test(arguments: [
    Role.heading, .link, .focus, .match, .currentMatch, .error, .banner, .notice,
  ])
  func `a role within text is not recognizable only by its colour`(role: Role) throws {
    let themes = Theme.loadAll(in: [Self.themes]).themes
    #expect(themes.contains { $0.name == "mono" })
    for theme in themes {
      // In the theme without colours on every terminal, and in others on terminals without colours.
      for depth in theme.name == "mono" ? [ColorDepth.none, .trueColor] : [.none] {
        let style = CellAppearance(CellStyle(role), theme: theme, depth: depth)
        #expect(!style.attributes.subtracting(.dim).isEmpty, "\(theme.name), \(role)")
      }
    }
  }

  @Test(arguments: [
    InlineStyle.strong, .emphasis, .code, .deleted, .marked, .underlined,
  ])
  func `no text style is recognizable only by its colour`(style: InlineStyle) {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      let depth = theme.name == "mono" ? ColorDepth.trueColor : .none
      let appearance = CellAppearance(
        CellStyle(.text, inlineStyle: style), theme: theme, depth: depth)
      #expect(!appearance.attributes.subtracting(.dim).isEmpty, "\(theme.name)")
    }
  }

  @Test func `without colours the selection differs from selectable items`() {
    for theme in Theme.loadAll(in: [Self.themes]).themes {
      func attributes(_ role: Role) -> Theme.Attributes {
        CellAppearance(CellStyle(role), theme: theme, depth: .none).attributes
      }
      #expect(attributes(.focus) != attributes(.link), "\(theme.name)")
      #expect(attributes(.currentMatch) != attributes(.match), "\(theme.name)")
      #expect(attributes(.focus).contains(.reverse), "\(theme.name)")
    }
  }

  @Test(arguments: [
    DepthRow(.auto, ["TERM": "xterm-256color"], 256, .palette),
    DepthRow(.auto, ["TERM": "xterm"], 8, .eight),
    DepthRow(.auto, ["TERM": "xterm-16color"], 16, .sixteen),
    DepthRow(.auto, ["TERM": "vt100"], -1, .none),
    DepthRow(.auto, ["TERM": "xterm-direct"], 16_777_216, .trueColor),
    DepthRow(.auto, ["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256, .trueColor),
    DepthRow(.auto, ["TERM": "tmux-256color", "COLORTERM": "24bit"], 256, .trueColor),
    DepthRow(.auto, ["TERM": "xterm-256color", "COLORTERM": "yes"], 256, .palette),
    // GNU screen passes on the variable of the terminal around it.
    DepthRow(.auto, ["TERM": "screen-256color", "COLORTERM": "truecolor"], 256, .palette),
    DepthRow(.auto, ["TERM": "screen.xterm", "COLORTERM": "24bit", "STY": "1.a"], 8, .eight),
    DepthRow(
      .auto, ["TERM": "xterm-256color", "COLORTERM": "truecolor", "STY": "1.a"], 256, .palette),
    DepthRow(
      .auto, ["TERM": "screen", "COLORTERM": "truecolor", "TMUX": "/tmp/a,1,0"], 8, .trueColor),
    DepthRow(
      .auto, ["TERM": "tmux-256color", "COLORTERM": "truecolor", "STY": "1.a", "TMUX": "/tmp/a"],
      256, .trueColor),
    DepthRow(.auto, ["TERM": "vt100", "COLORTERM": "truecolor"], -1, .none),
    DepthRow(.auto, ["TERM": "xterm-256color", "NO_COLOR": "1"], 256, .none),
    DepthRow(.auto, ["TERM": "xterm-256color", "NO_COLOR": ""], 256, .palette),
    DepthRow(.always, ["TERM": "xterm-256color", "NO_COLOR": "1"], 256, .palette),
    DepthRow(.never, ["TERM": "xterm-256color", "COLORTERM": "truecolor"], 256, .none),
  ])
  func `the number of colours depends on the setting, environment and terminal`(row: DepthRow) {
    let depth = ColorDepth(
      usesColors: row.choice.isWanted, environment: row.environment, colorCount: row.colors)
    #expect(depth == row.expected)
  }

  struct ColorRow: Sendable, CustomTestStringConvertible {
    var color: Theme.Color?
    var depth: ColorDepth
    var expected: TerminalColor
    var testDescription: String { "\(String(describing: color)) \(depth)" }
    init(_ color: Theme.Color?, _ depth: ColorDepth, _ expected: TerminalColor) {
      self.color = color
      self.depth = depth
      self.expected = expected
    }
  }

  @Test(arguments: [
    ColorRow(nil, .trueColor, .defaultColor), ColorRow(.rgb(1, 2, 3), .trueColor, .rgb(1, 2, 3)),
    ColorRow(.rgb(255, 0, 0), .none, .defaultColor), ColorRow(.palette(3), .none, .defaultColor),
    ColorRow(.rgb(0x5F, 0x87, 0xAF), .palette, .palette(67)),
    ColorRow(.rgb(0, 0, 0), .palette, .palette(16)),
    ColorRow(.rgb(8, 8, 8), .palette, .palette(232)),
    ColorRow(.rgb(255, 255, 255), .palette, .palette(231)),
    ColorRow(.rgb(130, 130, 130), .palette, .palette(244)),
    ColorRow(.rgb(255, 10, 10), .sixteen, .palette(9)),
    ColorRow(.rgb(200, 0, 0), .sixteen, .palette(1)),
    ColorRow(.rgb(130, 130, 130), .sixteen, .palette(8)),
    ColorRow(.rgb(255, 10, 10), .eight, .palette(1)),
    ColorRow(.rgb(250, 250, 250), .eight, .palette(7)),
    ColorRow(.palette(12), .eight, .palette(4)), ColorRow(.palette(12), .sixteen, .palette(12)),
    ColorRow(.palette(12), .trueColor, .palette(12)),
  ])
  func `a colour is mapped to the nearest one of the terminal`(row: ColorRow) {
    #expect(TerminalColor(row.color, depth: row.depth) == row.expected)
  }

  @Test(arguments: [
    Role.focus, .currentMatch, .match, .link, .visited, .button, .heading, .banner, .error,
  ])
  func `without colours important roles still differ from text`(role: Role) {
    let theme = Theme(
      name: "colours only", appearances: [role: .init(foreground: .rgb(255, 0, 0))])
    let plain = CellAppearance(CellStyle(.text), theme: theme, depth: .none)
    let marked = CellAppearance(CellStyle(role), theme: theme, depth: .none)
    #expect(marked != plain)
    #expect(marked.foreground == .defaultColor)
  }

  @Test func `emphasis adds attributes to those of the role`() {
    let theme = Theme(name: "t", appearances: [.link: .init(attributes: .underline)])
    let style = CellAppearance(
      CellStyle(.link, inlineStyle: [.strong, .emphasis]), theme: theme, depth: .palette)
    #expect(style.attributes == [.underline, .bold, .italic])
  }

  // MARK: 8 and 16 colours

  /// Returns the luminances of the possible backgrounds of an appearance.
  private static func papers(_ style: CellAppearance, _ theme: Theme) -> [Double] {
    if case .palette(let entry) = style.background {
      return [LimitedPaletteMapping.luminance(of: Int(entry))]
    }
    guard case .rgb(let red, let green, let blue)? = theme.background else { return [0, 1] }
    return [LimitedPaletteMapping.luminance(Int(red), Int(green), Int(blue))]
  }

  private static var shipped: [Theme] { Theme.loadAll(in: [themes]).themes + [.anyBackground] }

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func `with few colours all text has a contrast of at least 3 to 1`(depth: ColorDepth) {
    #expect(Self.shipped.count >= 9)
    let inlines: [InlineStyle] = [[], .code, .small, .marked, [.code, .strong], .deleted]
    for theme in Self.shipped {
      for role in Role.allCases {
        for inline in inlines {
          let style = CellAppearance(
            CellStyle(role, inlineStyle: inline), theme: theme, depth: depth)
          guard case .palette(let ink) = style.foreground else { continue }
          for paper in Self.papers(style, theme) {
            let contrast = LimitedPaletteMapping.contrast(
              LimitedPaletteMapping.luminance(of: Int(ink)), paper)
            #expect(contrast >= 3, "\(theme.name), \(role), \(inline): \(contrast)")
          }
        }
      }
    }
  }

  @Test(arguments: [ColorDepth.eight, .sixteen])
  func `with few colours roles stay distinct`(depth: ColorDepth) {
    for theme in Self.shipped where theme.name != "mono" {
      func style(_ role: Role) -> CellAppearance {
        CellAppearance(CellStyle(role), theme: theme, depth: depth)
      }
      for group in [
        [Role.comment, .string, .keyword], [.text, .link, .visited], [.link, .button],
        [.text, .heading], [.text, .focus, .match, .currentMatch], [.text, .error],
        [.keyword, .code],
      ] {
        let looks = Set(group.map { style($0) })
        #expect(looks.count == group.count, "\(theme.name): \(group)")
      }
    }
  }

  @Test func `with few colours a theme keeps several hues`() {
    for theme in Self.shipped where !["mono", "high-contrast"].contains(theme.name) {
      for depth in [ColorDepth.eight, .sixteen] {
        let hues = Role.allCases.compactMap { role -> Double? in
          let style = CellAppearance(CellStyle(role), theme: theme, depth: depth)
          guard case .palette(let ink) = style.foreground else { return nil }
          return LimitedPaletteMapping.hue(of: Int(ink))
        }
        #expect(Set(hues).count >= 2, "\(theme.name), \(depth): \(Set(hues))")
      }
    }
    let dark = Self.shipped.first { $0.name == "default-dark" } ?? .plain
    func ink(_ role: Role) -> TerminalColor {
      CellAppearance(CellStyle(role), theme: dark, depth: .eight).foreground
    }
    // Cyan, magenta, green and yellow.
    let inks = [Role.link, .visited, .code, .keyword].map { ink($0) }
    #expect(inks == [.palette(6), .palette(5), .palette(2), .palette(3)])
  }
}
