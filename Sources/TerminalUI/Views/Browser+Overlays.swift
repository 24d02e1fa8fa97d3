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

  /// Draws help over the whole screen.
  func draw(_ overlay: Overlay, in frame: inout Frame) {
    frame.clear(row: 0, style: TextStyle(.title))
    frame.put("Help", row: 0, column: 1, style: TextStyle(.title))
    let lines = helpLines
    for row in 0..<overlayHeight where row + 1 < size.rows - 1 || size.rows <= 2 {
      guard lines.indices.contains(overlay.top + row) else { break }
      let line = lines[overlay.top + row]
      frame.put(line.text, row: 1 + row, column: 1, style: TextStyle(line.role))
    }
    frame.moveCursor(row: 1, column: 0)
  }

  /// Help, from the table of commands and the keys as they are bound.
  var helpLines: [OverlayLine] {
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
}
