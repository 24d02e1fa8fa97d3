import Layout

/// Help, over the page.
package struct Overlay: Sendable, Equatable {
  /// The line at the top.
  package var top = 0

  package init() {}

  /// Keeps the top within the text.
  mutating func clamp(in browser: Browser) {
    let last = max(0, browser.helpLines.count - browser.overlayHeight)
    top = min(max(0, top), last)
  }
}

extension Browser {
  /// Rows for the text of an overlay, between its title and the last row.
  var overlayHeight: Int { max(1, size.rows - 2) }

  /// Carries out a command while an overlay is open.
  mutating func perform(_ command: Command, in overlay: Overlay, count: Int?) -> [Effect] {
    var overlay = overlay
    let page = max(1, overlayHeight - 2)
    switch command {
    case .lineDown, .nextLink: overlay.top += count ?? 1
    case .lineUp, .previousLink: overlay.top -= count ?? 1
    case .pageDown: overlay.top += page * (count ?? 1)
    case .pageUp: overlay.top -= page * (count ?? 1)
    case .halfPageDown: overlay.top += max(1, overlayHeight / 2) * (count ?? 1)
    case .halfPageUp: overlay.top -= max(1, overlayHeight / 2) * (count ?? 1)
    case .top: overlay.top = (count ?? 1) - 1
    case .bottom: overlay.top = count.map { $0 - 1 } ?? helpLines.count
    case .quit, .cancel, .back, .help:
      mode = .page
      return []
    case .command:
      openPrompt(.command)
      return []
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .nextTheme: return perform(.nextTheme, count: nil)
    default: notice = Notice(text: "\(quitKey) closes this")
    }
    overlay.clamp(in: self)
    mode = .overlay(overlay)
    return []
  }
}
