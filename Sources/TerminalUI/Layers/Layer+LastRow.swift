import Commands
import Document
import Layout
import Library
import Pages
import Terminal

extension Layer {
  /// Returns the content of the last row while the layer is on top.
  func lastRow(in context: LayerContext) -> LastRow {
    switch self {
    case .page: .status
    case .list(let list):
      list.isFiltering && context.notice == nil ? .editedLine(label: "/", list.filter) : .status
    case .prompt(let prompt): prompt.lastRow(in: context)
    case .hints(let hints): hints.lastRow
    case .bookmarkLetter(.setBookmark): .labelAndCursor("Letter for the mark: ")
    case .bookmarkLetter(.goToBookmark): .labelAndCursor("Go to mark (': back): ")
    case .question(let question):
      .question(question.text + (question.keysHint.isEmpty ? "" : " \(question.keysHint)"))
    case .selection(let marked): context.notice == nil ? marked.lastRow(in: context) : .status
    case .preview: .hint("\(context.keyName(of: .follow)) follows, any other key closes")
    case .fullScreenImage(let image):
      .name(
        context.view?.imageName(ofImage: image) ?? "",
        keys: "\(context.keyName(of: .follow)): open in a program, other keys: back")
    }
  }
}

extension Prompt {
  fileprivate func lastRow(in context: LayerContext) -> LastRow {
    var note = ""
    if case .find = kind, context.pageSearch.pageMatches?.query.isEmpty == false {
      let finding = context.pageSearch
      let absent = context.view?.page.parts == nil ? "not found" : "not in this part"
      let state = finding.isSearching ? "searching" + context.glyphs.ellipsis : absent
      note = context.notice ?? finding.ordinalText ?? state
    }
    return .editedLine(
      label: label, isSecret ? editor.masked(by: context.glyphs.passwordMask) : editor, note: note,
      completions)
  }
}

extension Hints {
  fileprivate var lastRow: LastRow {
    if let filter {
      return .editedLine(label: purpose == .openImage ? "Image with: " : "Link with: ", filter)
    }
    return .hint("Letters of \(purpose.label): \(typedLetters)   / filters, Esc cancels")
  }
}

extension TextSelection {
  fileprivate func lastRow(in context: LayerContext) -> LastRow {
    if let count = context.count { return .hint("\(count)") }
    let other = isMovingFirstEnd ? "end" : "start"
    func key(_ command: Command) -> String {
      let keys = context.keymap.keys(of: command)
      return keys.first { InputKey(fixed: $0, in: .selection) == nil }?.description
        ?? ":" + command.definition.name
    }
    let parts = [
      "\(key(.copyURL)) copy", "\(key(.follow)) save",
      "\(Self.name(of: .previousWord)) \(Self.name(of: .nextWord)) word",
      "\(key(.lineDown)) \(key(.lineUp)) line", "\(key(.markLines)) more",
      "\(Self.name(of: .switchEnds)) \(other)", "\(key(.cancel)) back",
    ]
    return .hint("\(selectionSizeText(in: context)): \(parts.joined(separator: ", "))")
  }

  private var isMovingFirstEnd: Bool {
    if case .passage(let passage) = self { passage.movingEnd == .first } else { false }
  }

  private static func name(of key: InputKey) -> String { key.definition.keys.first ?? "" }

  /// The number of selected lines or words; for more text than a highlight can have, its size.
  private func selectionSizeText(in context: LayerContext) -> String {
    switch self {
    case .lines(let lines): return DateTexts.countText(lines.range.count, "line")
    case .passage(let passage):
      guard passage.range.count <= Highlight.maxLength, let view = context.view else {
        return CountFormatter.byteCountText(passage.range.count)
      }
      return DateTexts.countText(view.words.wordCount(in: passage.range), "word")
    }
  }
}
