import Platform
import Configuration
import Feeds
import Foundation
import Document
import Layout
import Terminal
import TerminalUI

extension Dump {
  /// Returns the lines of a layout with SGR colours and attributes (ECMA-48) and OSC 8 links.
  func ansiLines(
    _ layout: PageLayout, of document: Document, theme: Theme, depth: ColorDepth
  ) -> [UInt8] {
    layout.styledText(
      style: { Self.sgrSequence(CellStyle($0), theme: theme, depth: depth) },
      hyperlink: { Self.escapedURL(document.url(ofLink: Int($0))) })
  }

  /// Returns the number of colours to use, from the options, the settings and the environment.
  func colorDepth(_ settings: Settings) -> ColorDepth {
    let environment = SystemProcesses.environment
    let isNarrow = environment["TERM"]?.contains("256color") != true
    return ColorDepth(
      usesColors: (presentation.color ?? settings.color).isWanted, environment: environment,
      colorCount: isNarrow ? 16 : 256)
  }

  /// Returns a URL as visible ASCII; nil if there is none, or if it contains other bytes, which
  /// could end the escape sequence early.
  private static func escapedURL(_ url: String?) -> [UInt8]? {
    guard let url else { return nil }
    let bytes = Array(SafeText.withoutCredentials(url).utf8)
    return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? bytes : nil
  }

  static func sgrSequence(_ style: CellStyle, theme: Theme, depth: ColorDepth) -> [UInt8] {
    let appearance = CellAppearance(style, theme: theme, depth: depth)
    var codes: [String] = []
    let attributes: [(Theme.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
      (.strike, "9"),
    ]
    codes += attributes.filter { appearance.attributes.contains($0.0) }.map(\.1)
    codes +=
      colorParameters(appearance.foreground, base: 30)
      + colorParameters(appearance.background, base: 40)
    return codes.isEmpty ? [] : Array("\u{1B}[\(codes.joined(separator: ";"))m".utf8)
  }

  private static func colorParameters(_ color: TerminalColor, base: Int) -> [String] {
    switch color {
    case .defaultColor: []
    case .palette(let index) where index < 8: ["\(base + Int(index))"]
    case .palette(let index) where index < 16: ["\(base + 60 + Int(index) - 8)"]
    case .palette(let index): ["\(base + 8);5;\(index)"]
    case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
    }
  }
}
