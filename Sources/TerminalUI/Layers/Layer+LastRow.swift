import Commands
import Document
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

extension MarkedLines {
  fileprivate func lastRow(in context: LayerContext) -> LastRow {
    if let count = context.count { return .text("\(count)", isShortened: true) }
    let count = DateTexts.count(range.count, "line")
    return .text(
      "\(count) marked   \(context.key(of: .copyURL)) copies, \(context.key(of: .follow)) keeps, "
        + "\(context.key(of: .lineDown)) \(context.key(of: .lineUp)) move the end, "
        + "\(context.key(of: .markLines)) adds a paragraph, \(context.key(of: .cancel)) cancels",
      isShortened: true)
  }
}
