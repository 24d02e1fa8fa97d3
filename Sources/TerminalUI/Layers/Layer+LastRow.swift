import Commands
import Document
import Layout
import Library
import Terminal

/// The content of the last row of the screen.
enum LastRow: Sendable, Equatable {
  /// The notice, or else the status line.
  case status
  /// A text about the keys of the layer, with an ellipsis if it is cut and `isShortened` is true.
  case text(String, isShortened: Bool = false)
  /// A name, and after it a text about the keys.
  case name(String, keys: String)
  /// A question, with the cursor after it; it may need more rows.
  case question(String)
  /// A label, with the cursor after it.
  case label(String)
  /// A line that is edited, with its label, a note at the right end, and completions above it.
  case line(label: String, LineEditor, note: String = "", Suggestions = Suggestions())
}

extension Layer {
  /// Returns the content of the last row while the layer is on top.
  func lastRow(in context: LayerContext) -> LastRow {
    switch self {
    case .page: .status
    case .list(let list):
      list.isFiltering && context.notice == nil ? .line(label: "/", list.filter) : .status
    case .prompt(let prompt): prompt.lastRow(in: context)
    case .hints(let hints): hints.lastRow
    case .letter(.setBookmark): .label("Letter for the mark: ")
    case .letter(.go): .label("Go to mark (': back): ")
    case .question(let question):
      .question(question.text + (question.keys.isEmpty ? "" : " \(question.keys)"))
    case .marking(let marked): context.notice == nil ? marked.lastRow(in: context) : .status
    case .preview: .text("\(context.key(of: .follow)) follows, any other key closes")
    case .image(let image):
      .name(
        context.view?.name(ofImage: image) ?? "",
        keys: "\(context.key(of: .follow)): open in a program, other keys: back")
    }
  }
}

extension Prompt {
  fileprivate func lastRow(in context: LayerContext) -> LastRow {
    var note = ""
    if case .find = kind, context.finding.find?.query.isEmpty == false {
      let finding = context.finding
      let state = finding.isSearching ? "searching" + context.glyphs.ellipsis : "not found"
      note = context.notice ?? finding.ordinal ?? state
    }
    return .line(
      label: label, isSecret ? editor.masked(by: context.glyphs.secret) : editor, note: note,
      suggestions)
  }
}

extension Hints {
  fileprivate var lastRow: LastRow {
    if let filter { return .line(label: purpose == .show ? "Image with: " : "Link with: ", filter) }
    return .text("Letters of \(purpose.label): \(typed)   / filters, Esc cancels")
  }
}

extension MarkedText {
  fileprivate func lastRow(in context: LayerContext) -> LastRow {
    if let count = context.count { return .text("\(count)", isShortened: true) }
    let other = movesStart ? "end" : "start"
    func key(_ command: Command) -> String {
      let keys = context.keymap.keys(of: command)
      return keys.first { TypingKey(fixed: $0, in: .marking) == nil }?.description
        ?? ":" + command.definition.name
    }
    let parts = [
      "\(key(.copyURL)) copy", "\(key(.follow)) keep",
      "\(Self.name(of: .previousWord)) \(Self.name(of: .nextWord)) word",
      "\(key(.lineDown)) \(key(.lineUp)) line", "\(key(.markLines)) more",
      "\(Self.name(of: .otherEnd)) \(other)", "\(key(.cancel)) drop",
    ]
    return .text(
      "\(size(in: context)): \(parts.joined(separator: ", "))", isShortened: true)
  }

  private var movesStart: Bool {
    if case .passage(let passage) = self { passage.moving == .first } else { false }
  }

  private static func name(of key: TypingKey) -> String { key.definition.keys.first ?? "" }

  /// The number of selected lines or words; for more text than a highlight can have, its size.
  private func size(in context: LayerContext) -> String {
    switch self {
    case .lines(let lines): return DateTexts.count(lines.range.count, "line")
    case .passage(let passage):
      guard passage.range.count <= Highlight.maxLength, let view = context.view else {
        return ByteCount.text(passage.range.count)
      }
      return DateTexts.count(view.words.count(in: passage.range), "word")
    }
  }
}
