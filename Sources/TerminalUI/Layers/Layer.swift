import Commands
import Terminal

/// A layer of the screen: the page, or something over it that receives the keys while it is on top.
package enum Layer: Sendable, Equatable {
  case page
  case list(ListScreen)
  case prompt(Prompt)
  case hints(Hints)
  case letter(LetterUse)
  case question(Question)
  case marking(MarkedText)
  /// A preview beside a link, which every key closes.
  case preview(Preview)
  /// An image on the whole screen, by its index in the document; every key closes it.
  case image(Int32)

  /// Whether the layer is an input over the page or a list, such as a prompt; previews and images
  /// count as inputs.
  var isInput: Bool {
    switch self {
    case .page, .list: false
    case .prompt, .hints, .letter, .question, .marking, .preview, .image: true
    }
  }

  /// Whether the layer depends on the current layout of the page.
  var dependsOnLayout: Bool {
    switch self {
    case .hints, .preview, .image: true
    case .page, .list, .prompt, .letter, .question, .marking: false
    }
  }

  /// Whether the layer makes no sense on another page.
  var dependsOnPage: Bool {
    switch self {
    case .prompt(let prompt): if case .find = prompt.kind { true } else { false }
    case .marking: true
    case .page, .list, .hints, .letter, .question, .preview, .image: dependsOnLayout
    }
  }

  /// Whether digits are a count for the next command.
  var acceptsCounts: Bool {
    switch self {
    case .page, .marking: true
    case .list(let list): !list.isFiltering
    case .prompt, .hints, .letter, .question, .preview, .image: false
    }
  }

  /// The subject of help for the layer.
  var helpSubject: HelpSubject {
    switch self {
    case .page, .preview, .image: .screen(.page)
    case .list(let list): list.isFiltering ? .typing(.filter) : .screen(list.kind.screen)
    case .prompt(let prompt): .typing(prompt.typing)
    case .hints(let hints): .typing(hints.filter == nil ? .letters : .linkText)
    case .letter(let use): .typing(use == .setBookmark ? .bookmark : .goToBookmark)
    case .question: .typing(.question)
    case .marking: .typing(.marking)
    }
  }

  /// Returns whether a key bound to help opens help over the layer: unless the key is a character
  /// that is input of the layer, or has a fixed meaning in it. Returns false for pages and lists,
  /// where help is a command like others, and for previews and images, which every key closes.
  func opensHelp(by key: Key) -> Bool {
    let typed: Unicode.Scalar? =
      if case .character(let scalar) = key.code, key.modifiers.isEmpty { scalar } else { nil }
    switch self {
    case .page, .preview, .image: return false
    case .list(let list): return list.isFiltering && typed == nil
    case .prompt, .letter: return typed == nil
    case .hints(let hints): return typed.map { !hints.isInput($0) } ?? true
    case .question: return true
    case .marking: return TypingKey(fixed: key, in: .marking) == nil
    }
  }

  /// Handles a key, which may change the layer.
  /// - Parameters:
  ///   - key: The key.
  ///   - context: The state outside the layer on which the effect of the key depends.
  /// - Returns: The requests to the browser, in order.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    switch self {
    case .page: return context.perform(key, on: .page)
    case .list(var list):
      defer { self = .list(list) }
      return list.handle(key, in: context)
    case .prompt(var prompt):
      defer { self = .prompt(prompt) }
      return prompt.handle(key, in: context)
    case .hints(var hints):
      defer { self = .hints(hints) }
      return hints.handle(key, in: context)
    case .letter(let use):
      guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return [.close] }
      return [.close, .letter(String(scalar), use)]
    case .question(var question):
      defer { self = .question(question) }
      return question.handle(key, in: context)
    case .marking(var marked):
      defer { self = .marking(marked) }
      return marked.handle(key, in: context)
    case .preview(let preview): return preview.handle(key, in: context)
    case .image(let image):
      return context.keymap[key] == .follow ? [.close, .show(image)] : [.close]
    }
  }
}

/// The purpose for which the letter of a mark is requested.
package enum LetterUse: Sendable, Equatable {
  case setBookmark, go
}
