import Commands
import Configuration
import DOM
import Document
import Layout
import Pages
import Terminal

extension Prompt {
  /// Handles a key that edits the text, or ends the prompt.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    switch InputKey(key, in: inputContext) {
    case .accept: return [.close, .submitPrompt(self)]
    case .cancel: return [.close, .abandonPrompt(self)]
    case .suspend: return [.effect(.suspend)]
    case .redraw: return [.effect(.redraw)]
    case .complete:
      let step = key.modifiers.contains(.shift) ? -1 : 1
      if case .formField(let field) = kind {
        return [.close, .leaveField(field, text: editor.text, by: step)]
      }
      return complete(by: step, in: context)
    case .recallHistory:
      let isEarlier = key == Key(.up) || key == .control("p")
      if case .formField = kind {
        selectCompletion(by: isEarlier ? -1 : 1, in: context)
        return []
      }
      return recallEntry(by: isEarlier ? 1 : -1, in: context)
    case .copySelection, .highlightSelection, .removeHighlights, .nextWord, .previousWord,
      .extendByLine,
      .extendByParagraph, .switchEnds, .hintLetter, .bookmarkLetter, .yes, .linkText,
      .deleteLastLetter, .jumpBack,
      .leaveFilter, nil:
      return editText(by: key, in: context)
    }
  }

  /// Replaces the text by the next completion. If no completions are known, one of them is selected
  /// as soon as they are.
  mutating func complete(by step: Int, in context: LayerContext) -> [LayerRequest] {
    if completions.items.isEmpty, completableText != nil { completions.awaitedStep = step }
    selectCompletion(by: step, in: context)
    guard completions.items.count == 1, editor.text.hasSuffix("/"),
      completableText?.typed.urlScheme == nil
    else { return [] }
    // The next Tab completes the names in the directory.
    completions = CompletionList()
    return [.updatePrompt(self)]
  }

  private mutating func editText(by key: Key, in context: LayerContext) -> [LayerRequest] {
    // The keys may come from pasted text, which can be long.
    if editor.characters.count >= Self.maxCharacters, case .character = key.code,
      key.modifiers.isEmpty
    {
      return []
    }
    var changed = editor
    guard changed.performEdit(key), allowsEdit(for: changed) else { return [] }
    editor = changed
    completions = context.completions(for: self)
    return [.updatePrompt(self)]
  }

  /// Replaces the text by an entry of the prompt's history, or by the text typed before.
  private mutating func recallEntry(by step: Int, in context: LayerContext) -> [LayerRequest] {
    let typed = historySteps == 0 ? editor.text : typedText
    let next = historySteps + step
    guard let text = next == 0 ? typed : context.inputHistory.entry(next, in: inputContext) else {
      return []
    }
    (historySteps, self.typedText) = (next, typed)
    editor.replace(with: text)
    completions = context.completions(for: self)
    return [.updatePrompt(self)]
  }

  /// Replaces the text by the next completion. If there is no other completion, and it is a command
  /// that takes an argument, a space is appended.
  private mutating func selectCompletion(by step: Int, in context: LayerContext) {
    guard let text = completions.selectNext(by: step) else { return }
    editor.replace(with: text)
    if completions.items.count == 1, let line = CommandLine(text),
      line.command.definition.argument != nil, line.argument == nil, kind == .commandLine
    {
      editor.insert(" ")
      completions = context.completions(for: self)
    }
  }

  /// The incomplete URL or path in the prompt, and the text before it; nil if the prompt has
  /// neither.
  var completableText: (before: String, typed: String, subject: CompletionSubject)? {
    let text = editor.text
    switch kind {
    case .openURL: return ("", text, .addresses)
    case .download, .fileName: return ("", text, .files)
    case .commandLine:
      guard let line = CommandLine(text), let typed = line.argument, text.hasSuffix(typed) else {
        return nil
      }
      let before = String(text.dropLast(typed.count))
      switch line.command.definition.argument {
      case .url: return (before, typed, .addresses)
      case .file: return (before, typed, .files)
      default: return nil
      }
    case .find, .search, .tags, .shell, .highlightNote, .userName, .password, .formField:
      return nil
    }
  }
}

extension LayerContext {
  /// Returns the completions for the text of a prompt.
  func completions(for prompt: Prompt) -> CompletionList {
    if case .formField(let field) = prompt.kind {
      return suggestions(for: field, typed: prompt.editor.text)
    }
    guard prompt.kind == .commandLine else { return CompletionList() }
    let line = prompt.editor.text
    let name = line.drop { $0 == " " }.prefix { $0 != " " }
    guard line.drop(while: { $0 == " " }).contains(" ") else {
      return CompletionList(
        CommandLine.commands(beginningWith: String(name)).map { command in
          let keys = keymap.keys(of: command).prefix(2).map(\.description).joined(separator: " ")
          let help = command.definition.help
          return .init(command.definition.name, note: keys.isEmpty ? help : "\(help)  \(keys)")
        })
    }
    guard let commandLine = CommandLine(line) else { return CompletionList() }
    switch commandLine.command.definition.argument {
    case .theme:
      return CompletionList(
        themeNames.filter { Self.matches($0, typed: commandLine.argument ?? "") }
          .map { .init("\(commandLine.command.definition.name) \($0)") })
    case .order:
      return CompletionList(
        ListScreen.Order.allCases.map {
          .init("\(commandLine.command.definition.name) \($0.rawValue)")
        })
    case .setting: return settingCompletions(for: line)
    case .number, .url, .searchTerms, .letter, .tags, .shell, .file, .date, nil:
      return CompletionList()
    }
  }

  /// Returns the settings whose names begin with the argument of a command line, or the values that
  /// contain the text after the name of a setting.
  private func settingCompletions(for line: String) -> CompletionList {
    let isSeparator = { (character: Character) in character == " " || character == "=" }
    let afterName: Substring = line.drop { $0 == " " }.drop { $0 != " " }
    let argument = afterName.drop { $0 == " " }
    let name = argument.prefix { !isSeparator($0) }
    guard name.endIndex < argument.endIndex else {
      let before = line.dropLast(argument.count)
      return CompletionList(
        Settings.names.filter { $0.hasPrefix(argument.lowercased()) }.map { name in
          .init("\(before)\(name)", note: (try? settings.value(of: name)) ?? nil ?? "")
        })
    }
    let typed = argument[name.endIndex...].drop(while: isSeparator)
    let before = line.dropLast(typed.count)
    let isTheme = ["theme", "display.theme"].contains(name.lowercased())
    let values = isTheme ? themeNames : Settings.keywords(of: String(name))
    return CompletionList(
      values.filter { Self.matches($0, typed: typed) }
        .map { .init("\(before)\($0)") })
  }

  /// Returns whether a value contains the typed text, which may be empty, in any case.
  private static func matches(_ value: String, typed: some StringProtocol) -> Bool {
    typed.isEmpty || value.lowercased().contains(typed.lowercased())
  }

  /// Returns the values that the page suggests for a field (`datalist`), that fit into it, and that
  /// contain the typed text, by themselves or in their labels.
  private func suggestions(for field: Prompt.FormField, typed: String) -> CompletionList {
    guard let forms = view?.page.document.forms, let control = view?.control(field.control),
      control.isSingleLineText
    else { return CompletionList() }
    let folded = TextFolding.folded(typed)
    return CompletionList(
      forms.choices[Int(control.choices.lowerBound)..<Int(control.choices.upperBound)].filter {
        !$0.isDisabled && !$0.value.isEmpty && $0.value != typed
          && $0.value.utf16.count <= field.maxLength ?? .max
          && (folded.isEmpty || TextFolding.folded($0.value + "\n" + $0.label).contains(folded))
      }.map { .init($0.value, note: $0.label == $0.value ? "" : $0.label) })
  }
}
