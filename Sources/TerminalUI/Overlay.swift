import Layout

/// Text over the page: help or page information.
package struct Overlay: Sendable, Equatable {
  /// What is shown.
  package var kind: Kind
  /// The line at the top.
  package var top = 0

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// What is shown.
  package enum Kind: Sendable, Equatable {
    case help, information
  }

  /// Keeps the top within the text.
  mutating func clamp(in browser: Browser) {
    let last = max(0, browser.lines(of: self).count - browser.overlayHeight)
    top = min(max(0, top), last)
  }
}

extension Browser {
  /// Rows for the text of an overlay, between its title and the last row.
  var overlayHeight: Int { max(1, size.rows - 2) }

  /// Opens an overlay.
  mutating func open(_ overlay: Overlay) {
    if overlay.kind == .information, view == nil {
      notice = Notice(text: "there is no page yet")
      return
    }
    mode = .overlay(overlay)
  }

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
    case .bottom: overlay.top = count.map { $0 - 1 } ?? lines(of: overlay).count
    case .quit, .cancel, .back:
      mode = .page
      return []
    case .help where overlay.kind == .help, .information where overlay.kind == .information:
      mode = .page
      return []
    case .help: overlay = Overlay(.help)
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
