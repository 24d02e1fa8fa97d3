import Foundation
import HTML
import Layout
import Reader

extension Browser {
  /// A line of an overlay and its role.
  struct OverlayLine: Sendable, Equatable {
    var text: String
    var role = Role.text
  }

  /// Draws help or page information over the whole screen.
  func draw(_ overlay: Overlay, in frame: inout Frame) {
    frame.clear(row: 0, style: TextStyle(.title))
    let title = overlay.kind == .help ? "Help" : "Page information"
    frame.put(title, row: 0, column: 1, style: TextStyle(.title))
    let lines = lines(of: overlay)
    for row in 0..<overlayHeight where row + 1 < size.rows - 1 || size.rows <= 2 {
      guard lines.indices.contains(overlay.top + row) else { break }
      let line = lines[overlay.top + row]
      frame.put(line.text, row: 1 + row, column: 1, style: TextStyle(line.role))
    }
    frame.moveCursor(row: 1, column: 0)
  }

  /// The text of an overlay at this width.
  func lines(of overlay: Overlay) -> [OverlayLine] {
    switch overlay.kind {
    case .help: helpLines
    case .information: informationLines
    }
  }

  /// Help, from the table of commands and the keys as they are bound.
  private var helpLines: [OverlayLine] {
    var lines: [OverlayLine] = []
    let keyWidth = 20
    for group in Command.Group.allCases {
      let commands = Command.allCases.filter {
        $0.definition.group == group && (list == nil || $0.definition.list != nil)
      }
      if commands.isEmpty { continue }
      if !lines.isEmpty { lines.append(OverlayLine(text: "")) }
      lines.append(OverlayLine(text: group.rawValue, role: .heading))
      for command in commands {
        let help = list == nil ? command.definition.help : command.definition.list ?? ""
        let bound = keymap.keys(of: command).map(\.description)
        let keys = bound.isEmpty ? ":" + command.definition.name : bound.joined(separator: "  ")
        let padding = String(
          repeating: " ", count: max(2, keyWidth - widths.width(of: keys)))
        lines.append(OverlayLine(text: "  \(keys)\(padding)\(help)"))
      }
    }
    lines.append(OverlayLine(text: ""))
    lines.append(OverlayLine(text: "While typing", role: .heading))
    for (keys, help) in Self.editingKeys {
      let padding = String(repeating: " ", count: max(2, keyWidth - keys.utf8.count))
      lines.append(OverlayLine(text: "  \(keys)\(padding)\(help)"))
    }
    lines.append(OverlayLine(text: ""))
    lines.append(
      OverlayLine(text: "A number before a key is a count: 5j, 150G, 50%, 5 Enter.", role: .dim))
    return lines
  }

  private static let editingKeys = [
    ("Enter  Esc", "answer, give up"),
    ("C-a  C-e", "to the beginning, to the end"),
    ("C-u  C-k  C-w", "delete to the beginning, to the end, a word"),
    ("Left  Right", "one character; with Ctrl or Alt, one word"),
  ]

  private var informationLines: [OverlayLine] {
    guard let page = view?.page else { return [] }
    var facts: [(String, String)] = [("Title", page.document.title), ("Address", shown(page.url))]
    if page.requestedURL != page.url { facts.append(("Asked for", shown(page.requestedURL))) }
    if let status = page.errorStatus { facts.append(("Answer", status)) }
    facts.append(("Type", page.mediaType))
    facts.append(("Encoding", page.document.encoding))
    if !page.document.language.isEmpty { facts.append(("Language", page.document.language)) }
    facts.append(("Size", Self.bytes(page.length)))
    facts.append(("Links", "\(page.document.links.count)"))
    facts.append(("Source", sourceWords(page.provenance)))
    if let date = page.provenance.contentDate {
      let age = DateWords.shortAge(of: date, now: now)
      facts.append(("Content from", "\(DateWords.dayAndTime(date, in: timeZone)) (\(age))"))
    }
    if let check = page.provenance.lastCheck {
      let result = check.failure.map { "failed: \($0.text)" } ?? "succeeded"
      facts.append(("Last check", "\(DateWords.dayAndTime(check.date, in: timeZone)), \(result)"))
    }
    facts.append(("Older versions", "\(page.provenance.olderVersions)"))
    facts += page.notices.map { ("Warning", $0) }
    return facts.flatMap { fact in
      let label = fact.0 + String(repeating: " ", count: max(1, 16 - fact.0.utf8.count))
      return wrapped(
        SafeText.line(fact.1), columns: max(8, size.columns - 20)
      ).enumerated().map { index, text in
        OverlayLine(text: (index == 0 ? label : String(repeating: " ", count: 16)) + text)
      }
    }
  }

  private func sourceWords(_ provenance: Provenance) -> String {
    switch provenance.source {
    case .network: "the network, just now"
    case .fresh: "the archive; fresh by its own rules"
    case .saved(let reason): "saved copy: \(reason.text)"
    case .substituted: "a local file, by [[substitute]] in the settings"
    case .builtIn: "built in"
    case .file: "a file"
    case .explanation: "offread's own words; there is no page"
    }
  }

  /// Cuts a text into rows of a width, wherever the width ends.
  private func wrapped(_ text: String, columns: Int) -> [String] {
    var rows = [""]
    var used = 0
    widths.forEach(in: text) { cluster, width in
      if used + width > columns {
        rows.append("")
        used = 0
      }
      rows[rows.count - 1] += cluster
      used += width
    }
    return rows
  }
}
