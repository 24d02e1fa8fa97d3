import Commands
import Layout
import Terminal

/// The selected lines of the page, to be copied or highlighted.
package struct MarkedLines: Sendable, Equatable {
  /// The line at which the selection began. `end` is its other end, above or below.
  var start: Int
  var end: Int

  /// The selected lines.
  var range: ClosedRange<Int> { min(start, end)...max(start, end) }
}

/// The effect of a command while lines are selected.
enum MarkingAction: Sendable, Equatable {
  /// Moves the end of the selection by the count, times this number.
  case lines(Int)
  case screens(Int), halfScreens(Int)
  case toTop, toBottom
  case paragraphs
  case copy, keep, remove
  case close
  case redraw, suspend
}

extension MarkedLines {
  /// Handles a key that extends, uses or ends the selection.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    guard let command = context.keymap[key], let view = context.view else { return [] }
    let steps = max(1, context.count ?? 1)
    switch command.whileMarking {
    case .lines(let sign): end += sign * steps
    case .screens(let sign): end += sign * max(1, context.height - 2) * steps
    case .halfScreens(let sign): end += sign * max(1, context.height / 2) * steps
    case .toTop: end = context.count.map { $0 - 1 } ?? 0
    case .toBottom: end = context.count.map { $0 - 1 } ?? .max / 2
    case .paragraphs: extend(byParagraphs: steps, of: view)
    case .copy: return [.close, .copy(self)]
    case .keep: return [.close, .keep(self)]
    case .remove: return [.close, .remove(self)]
    case .close: return [.close]
    case .redraw: return [.effect(.redraw)]
    case .suspend: return [.effect(.suspend)]
    case nil:
      return [
        .notify("\(command.definition.name) is not available while you select lines"),
        .reveal(self),
      ]
    }
    return [.reveal(self)]
  }

  /// Extends the selection to the ends of following paragraphs.
  mutating func extend(byParagraphs count: Int, of view: PageView) {
    for _ in 0..<min(count, 1000) {
      var line = end + 1
      while line < view.layout.lines.count, view.layout.isBlank(line: line) { line += 1 }
      guard line < view.layout.lines.count else { return }
      end = view.paragraph(around: line).upperBound
    }
  }
}

extension PageView {
  /// Returns the lines of the paragraph that contains a line, delimited by blank lines.
  func paragraph(around line: Int) -> ClosedRange<Int> {
    var (first, last) = (line, line)
    while first > 0, !layout.isBlank(line: first - 1) { first -= 1 }
    while last + 1 < layout.lines.count, !layout.isBlank(line: last + 1) { last += 1 }
    return first...last
  }
}
