import Doctor
import TerminalUI
import Platform
import Foundation
import Terminal

/// The findings of `doctor` about the terminal and the locale.
enum TerminalFindings {
  static func allFindings(_ environment: [String: String]) -> [Finding] {
    terminalFindings(environment) + localeFindings(environment)
  }

  private static func terminalFindings(_ environment: [String: String]) -> [Finding] {
    let term = environment["TERM"] ?? ""
    var findings: [Finding] = []
    guard let description = MainActor.assumeIsolated({ NcursesTerminal.capabilities }) else {
      let termText = term.isEmpty ? "not set" : "\(nameOrPlaceholder(term)), unknown to ncurses"
      return [
        Finding(
          .terminal, "TERM", termText,
          advice:
            "the reader cannot draw: set TERM to the type of the terminal, such as xterm-256color,"
            + " or install ncurses-term")
      ]
    }
    let substitute = MainActor.assumeIsolated { NcursesTerminal.substituteName }
    findings.append(
      Finding(
        .terminal, "TERM",
        nameOrPlaceholder(term) + (substitute.map { ", unknown to ncurses; used as \($0)" } ?? ""),
        advice: advice(canDraw: description.canDraw, isSubstituted: substitute != nil)))
    let isTerminal = isatty(STDOUT_FILENO) == 1
    findings.append(sizeFinding(isTerminal: isTerminal))
    let depth = ColorDepth(
      usesColors: nil, environment: environment, colorCount: description.colorCount)
    let colors =
      switch depth {
      case .none: "none" + (environment["NO_COLOR"]?.isEmpty == false ? " (NO_COLOR)" : "")
      case .trueColor: "true colour"
      default: "\(depth.rawValue)"
      }
    findings += [
      Finding(.terminal, "colours", colors),
      Finding(.terminal, "alternate screen", description.hasAlternateScreen ? "yes" : "no"),
      Finding(.terminal, "mouse", description.hasMouse ? "yes" : "no"),
      Finding(.terminal, "multiplexer", multiplexer(environment)),
    ]
    guard isTerminal, description.canDraw else { return findings }
    return findings + [Finding(.terminal, "graphics", supportedGraphics())]
  }

  private static func sizeFinding(isTerminal: Bool) -> Finding {
    var window = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 else {
      return Finding(.terminal, "size", "the output is not a terminal")
    }
    let isSmall = window.ws_col < 20 || window.ws_row < 5
    return Finding(
      .terminal, "size", "\(window.ws_col) x \(window.ws_row)",
      advice: isSmall ? "make the window larger, or set it with stty" : nil)
  }

  private static func supportedGraphics() -> String {
    guard let responses = TerminalReplies.queryTerminal(), responses.isComplete else {
      return "no response"
    }
    let kinds = [
      responses.supportsKittyGraphics ? "kitty" : nil, responses.supportsSixel ? "Sixel" : nil,
    ].compactMap(\.self)
    return kinds.isEmpty ? "none" : kinds.joined(separator: ", ")
  }

  private static func advice(canDraw: Bool, isSubstituted: Bool) -> String? {
    if isSubstituted { return "install the terminfo entry of the terminal, or ncurses-term" }
    return canDraw
      ? nil
      : "the reader cannot draw on such a terminal and prints text; correct TERM if it is wrong"
  }

  private static func multiplexer(_ environment: [String: String]) -> String {
    for (variable, name) in [("TMUX", "tmux"), ("STY", "screen"), ("ZELLIJ", "zellij")]
    where environment[variable]?.isEmpty == false {
      return name
    }
    return "none"
  }

  private static func localeFindings(_ environment: [String: String]) -> [Finding] {
    let charset = TerminalCharset.current
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return [
      Finding(.locale, "language", language.map(nameOrPlaceholder) ?? "not set"),
      Finding(
        .locale, "characters", charset == .utf8 ? "UTF-8" : "not UTF-8",
        advice: charset == .utf8
          ? nil
          : "many characters cannot be shown: set LANG to a locale with UTF-8, such as C.UTF-8"),
    ]
  }

  /// Returns an environment value if it looks like a name, otherwise a placeholder, because the
  /// report must not reveal other values.
  private static func nameOrPlaceholder(_ text: String) -> String {
    text.count < 40
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+@".contains($0)) }
      ? text : "an unusual value"
  }
}
