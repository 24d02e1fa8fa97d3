import Foundation
import HTML
import Layout
import Reader
import TerminalUI

extension Dump {
  /// The page with SGR colours and attributes (ECMA-48) and OSC 8 links.
  func ansi(_ layout: PageLayout, of document: Document, theme: Theme) -> [UInt8] {
    let environment = ProcessInfo.processInfo.environment
    let isNarrow = environment["TERM"]?.contains("256color") != true
    let depth = ColorDepth(
      choice: page.color, environment: environment, colors: isNarrow ? 16 : 256)
    let plain = Array("\u{1B}[0m".utf8)
    var codes: [TextStyle: [UInt8]] = [:]
    var targets: [Int32: [UInt8]] = [:]
    var output: [UInt8] = []
    output.reserveCapacity(layout.text.count * 2)
    for line in layout.lines {
      var start = Int(line.start)
      var index = Int(line.firstRun)
      while start < Int(line.end), index < layout.runs.count {
        let run = layout.runs[index]
        let end = min(Int(run.end), Int(line.end))
        let code = codes[run.style] ?? Self.sgr(run.style, theme: theme, depth: depth)
        codes[run.style] = code
        var target = targets[run.link] ?? []
        if run.link >= 0, target.isEmpty {
          target = Self.target(document.url(ofLink: Int(run.link)))
          targets[run.link] = target
        }
        if !target.isEmpty { output += Self.link(to: target) }
        output += code
        output += layout.text[start..<end]
        if !code.isEmpty { output += plain }
        if !target.isEmpty { output += Self.link(to: []) }
        start = end
        index += 1
      }
      output.append(0x0A)
    }
    return output
  }

  /// `OSC 8 ; ; URL ST`; an empty URL ends the link.
  private static func link(to target: [UInt8]) -> [UInt8] {
    Array("\u{1B}]8;;".utf8) + target + Array("\u{1B}\\".utf8)
  }

  /// A URL in visible ASCII, so that nothing of it can end the sequence early.
  private static func target(_ url: String?) -> [UInt8] {
    let bytes = Array(SafeText.withoutCredentials(url ?? "").utf8)
    return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? bytes : []
  }

  private static func sgr(_ style: TextStyle, theme: Theme, depth: ColorDepth) -> [UInt8] {
    let look = CellAppearance(style, theme: theme, depth: depth)
    var codes: [String] = []
    let attributes: [(Theme.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
      (.strike, "9"),
    ]
    codes += attributes.filter { look.attributes.contains($0.0) }.map(\.1)
    codes += color(look.foreground, base: 30) + color(look.background, base: 40)
    return codes.isEmpty ? [] : Array("\u{1B}[\(codes.joined(separator: ";"))m".utf8)
  }

  private static func color(_ color: TerminalColor, base: Int) -> [String] {
    switch color {
    case .standard: []
    case .indexed(let index) where index < 8: ["\(base + Int(index))"]
    case .indexed(let index) where index < 16: ["\(base + 60 + Int(index) - 8)"]
    case .indexed(let index): ["\(base + 8);5;\(index)"]
    case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
    }
  }
}
