import Commands
import Terminal

/// A layer of the screen: the page, or something over it that receives the keys while it is on top.
package enum Layer: Sendable, Equatable {
  case page
  case list(ListScreen)
  case prompt(Prompt)
  case hints(Hints)
  case bookmarkLetter(BookmarkLetterUse)
  case question(Question)
  case selection(TextSelection)
  /// A preview beside a link, which every key closes.
  case preview(Preview)
  /// An image on the whole screen, by its index in the document; every key closes it.
  case fullScreenImage(Int32)

  /// Whether the layer is an input over the page or a list, such as a prompt; previews and images
  /// count as inputs.
  var isInput: Bool {
    switch self {
    case .page, .list: false
    case .prompt, .hints, .bookmarkLetter, .question, .selection, .preview, .fullScreenImage: true
    }
  }

  /// Whether the layer depends on the current layout of the page.
  var dependsOnLayout: Bool {
    if case .hints = self { true } else { false }
  }

  /// Whether the layer applies only to the page for which it was opened.
  var dependsOnPage: Bool {
    switch self {
    case .prompt(let prompt): if case .find = prompt.kind { true } else { false }
    case .hints, .selection, .preview, .fullScreenImage: true
    case .page, .list, .bookmarkLetter, .question: false
    }
  }

  /// Whether characters are inserted into a text, or are the name of a bookmark.
  var acceptsText: Bool {
    switch self {
    case .prompt, .bookmarkLetter: true
    case .list(let list): list.isFiltering
    case .hints(let hints): hints.filter != nil
    case .page, .question, .selection, .preview, .fullScreenImage: false
    }
  }

  /// Whether digits are a count for the next command.
  var acceptsCounts: Bool {
    switch self {
    case .page, .selection: true
    case .list(let list): !list.isFiltering
    case .prompt, .hints, .bookmarkLetter, .question, .preview, .fullScreenImage: false
    }
  }

  /// The subject of help for the layer.
  var helpSubject: HelpSubject {
    switch self {
    case .page, .preview, .fullScreenImage: .screen(.page)
    case .list(let list): list.isFiltering ? .inputContext(.filter) : .screen(list.kind.screen)
    case .prompt(let prompt): .inputContext(prompt.inputContext)
    case .hints(let hints): .inputContext(hints.filter == nil ? .hintLetters : .linkText)
    case .bookmarkLetter(let use):
      .inputContext(use == .setBookmark ? .setBookmarkLetter : .goToBookmarkLetter)
    case .question: .inputContext(.question)
    case .selection: .inputContext(.selection)
    }
  }

  /// Returns whether a key bound to help opens help over the layer: unless the key is a character
  /// that is input of the layer, or has a fixed meaning in it. Returns false for pages and lists,
  /// where help is a command like others, and for previews and images, which every key closes.
  func opensHelp(by key: Key) -> Bool {
    let typed: Unicode.Scalar? =
      if case .character(let scalar) = key.code, key.modifiers.isEmpty { scalar } else { nil }
    switch self {
    case .page, .preview, .fullScreenImage: return false
    case .list(let list): return list.isFiltering && typed == nil
    case .prompt, .bookmarkLetter: return typed == nil
    case .hints(let hints): return typed.map { !hints.isInput($0) } ?? true
    case .question: return true
    case .selection: return InputKey(fixed: key, in: .selection) == nil
    }
  }

  /// Handles a key, which may change the layer.
  /// - Parameters:
  ///   - key: The key.
  ///   - context: The state outside the layer on which the effect of the key depends.
  /// - Returns: The requests to the browser, in order.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    switch self {
    case .page: return context.requests(key, on: .page)
    case .list(var list):
      defer { self = .list(list) }
      return list.handle(key, in: context)
    case .prompt(var prompt):
      defer { self = .prompt(prompt) }
      return prompt.handle(key, in: context)
    case .hints(var hints):
      defer { self = .hints(hints) }
      return hints.handle(key, in: context)
    case .bookmarkLetter(let use):
      guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return [.close] }
      return [.close, .useLetter(String(scalar), use)]
    case .question(var question):
      defer { self = .question(question) }
      return question.handle(key, in: context)
    case .selection(var marked):
      defer { self = .selection(marked) }
      return marked.handle(key, in: context)
    case .preview(let preview): return preview.handle(key, in: context)
    case .fullScreenImage(let image):
      return context.keymap[key] == .follow ? [.close, .openImage(image)] : [.close]
    }
  }
}
