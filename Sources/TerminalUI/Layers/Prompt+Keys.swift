import Commands
import Configuration
import Terminal

extension Prompt {
  /// Handles a key that edits the text, or ends the prompt.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    switch TypingKey(key, in: typing) {
    case .reply: return [.close, .submit(self)]
    case .giveUp: return [.close, .abandon(self)]
    case .suspend: return [.effect(.suspend)]
    case .redraw: return [.effect(.redraw)]
    case .complete:
      let step = key.modifiers.contains(.shift) ? -1 : 1
      if case .field(let field) = kind {
        return [.close, .leave(field, text: editor.text, by: step)]
      }
      complete(by: step, in: context)
      return []
    case .recall:
      let isEarlier = key == Key(.up) || key == .control("p")
      return recall(by: isEarlier ? 1 : -1, in: context)
    case .copyLines, .keepLines, .removeHighlights, .nextWord, .previousWord, .moreLines,
      .moreParagraphs, .otherEnd, .letter, .bookmarkLetter, .yes, .linkText, .oneLess, .jumpedFrom,
      .toEntries, nil:
      return edit(by: key, in: context)
    }
  }

  private mutating func edit(by key: Key, in context: LayerContext) -> [LayerRequest] {
    // The keys may come from pasted text, which can be long.
    if editor.characters.count >= Self.maxCharacters, case .character = key.code,
      key.modifiers.isEmpty
    {
      return []
    }
    var changed = editor
    guard changed.edit(key), fits(for: changed) else { return [] }
    editor = changed
    suggestions = context.suggestions(for: self)
    return [.typed(self)]
  }

  /// Replaces the text by an entry of the prompt's history, or by the text typed before.
  private mutating func recall(by step: Int, in context: LayerContext) -> [LayerRequest] {
    let typed = steps == 0 ? editor.text : typed
    let next = steps + step
    guard let text = next == 0 ? typed : context.inputHistory.entry(next, in: typing) else {
      return []
    }
    (steps, self.typed) = (next, typed)
    editor.replace(with: text)
    suggestions = context.suggestions(for: self)
    return [.typed(self)]
  }

  /// Replaces the text by the next completion. If it is the only one and a command that takes an
  /// argument, a space is appended.
  private mutating func complete(by step: Int, in context: LayerContext) {
    guard let text = suggestions.advance(by: step) else { return }
    editor.replace(with: text)
    if suggestions.all.count == 1, let line = CommandLine(text),
      line.command.definition.argument != nil, line.argument == nil, kind == .command
    {
      editor.insert(" ")
      suggestions = context.suggestions(for: self)
    }
  }

  /// The incomplete URL in the prompt, and the text before it; nil if the prompt has no URL.
  var typedURL: (before: String, typed: String)? {
    let text = editor.text
    switch kind {
    case .open: return ("", text)
    case .command:
      guard let line = CommandLine(text), line.command.definition.argument == .address,
        let typed = line.argument, text.hasSuffix(typed)
      else { return nil }
      return (String(text.dropLast(typed.count)), typed)
    case .find, .search, .tags, .shell, .download, .file, .note, .user, .password, .field:
      return nil
    }
  }
}

extension LayerContext {
  /// Returns the completions for the text of a prompt.
  func suggestions(for prompt: Prompt) -> Suggestions {
    guard prompt.kind == .command else { return Suggestions() }
    let line = prompt.editor.text
    let name = line.drop { $0 == " " }.prefix { $0 != " " }
    guard line.drop(while: { $0 == " " }).contains(" ") else {
      return Suggestions(
        CommandLine.commands(beginningWith: String(name)).map { command in
          let keys = keymap.keys(of: command).prefix(2).map(\.description).joined(separator: " ")
          let help = command.definition.help
          return .init(command.definition.name, note: keys.isEmpty ? help : "\(help)  \(keys)")
        })
    }
    guard let typed = CommandLine(line) else { return Suggestions() }
    let text = (typed.argument ?? "").lowercased()
    switch typed.command.definition.argument {
    case .theme:
      return Suggestions(
        themeNames.filter { $0.lowercased().contains(text) }
          .map { .init("\(typed.command.definition.name) \($0)") })
    case .order:
      return Suggestions(
        ListScreen.Order.allCases.map { .init("\(typed.command.definition.name) \($0.rawValue)") })
    case .setting:
      return Suggestions(
        Settings.names.filter { $0.hasPrefix(text) }.map { name in
          .init(
            "\(typed.command.definition.name) \(name)",
            note: (try? settings.value(of: name)) ?? nil ?? "")
        })
    case .number, .address, .searchTerms, .letter, .tags, .shell, .file, .date, nil:
      return Suggestions()
    }
  }
}
