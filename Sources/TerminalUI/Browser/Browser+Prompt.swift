import Commands
import Document
import Layout
import OfflineCache
import Reader
import Terminal

extension Browser {
  /// Opens a prompt on the last row.
  mutating func openPrompt(_ kind: Prompt.Kind, text: String = "") {
    if case .find = kind, view == nil {
      notice = Notice(text: "there is no page to find anything on")
      return
    }
    var editor = LineEditor()
    editor.replace(with: text)
    var prompt = Prompt(kind: kind, editor: editor, origin: view?.position ?? ReadingPosition())
    prompt.suggestions = suggestions(for: prompt)
    mode = .prompt(prompt)
    askForAddresses(prompt)
  }

  /// Handles a key in a prompt.
  mutating func handle(_ key: Key, in prompt: Prompt) -> [Effect] {
    if let effects = openHelp(by: key) { return effects }
    switch TypingKey(key, in: prompt.typing) {
    case .answer:
      mode = .page
      answers.remember(prompt.editor.text, in: prompt.typing)
      return answer(prompt)
    case .giveUp: return abandon(prompt)
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .complete: goOn(in: prompt, by: key.modifiers.contains(.shift) ? -1 : 1)
    case .recall: recall(in: prompt, by: key == Key(.up) ? 1 : -1)
    default: edit(prompt, by: key)
    }
    return []
  }

  private mutating func edit(_ prompt: Prompt, by key: Key) {
    // The keys may come from pasted text, which can be long.
    if prompt.editor.characters.count >= Prompt.mostCharacters, case .character = key.code,
      key.modifiers.isEmpty
    {
      return
    }
    var prompt = prompt
    var editor = prompt.editor
    guard editor.edit(key), prompt.hasRoom(for: editor) else { return }
    prompt.editor = editor
    prompt.suggestions = suggestions(for: prompt)
    mode = .prompt(prompt)
    promptChanged()
    askForAddresses(prompt)
  }

  /// Moves to the next field of a form, or to the next completion.
  private mutating func goOn(in prompt: Prompt, by step: Int) {
    var prompt = prompt
    if case .field(let field) = prompt.kind {
      leave(prompt, field: field, by: step)
    } else {
      complete(&prompt, by: step)
    }
  }

  /// Replaces the text by an entry of the prompt's history, or by the text typed before.
  private mutating func recall(in prompt: Prompt, by step: Int) {
    var prompt = prompt
    let steps = prompt.steps + step
    if prompt.steps == 0 { prompt.typed = prompt.editor.text }
    guard let text = steps == 0 ? prompt.typed : answers.answer(steps, in: prompt.typing) else {
      return
    }
    prompt.steps = steps
    prompt.editor.replace(with: text)
    prompt.suggestions = suggestions(for: prompt)
    mode = .prompt(prompt)
    promptChanged()
    askForAddresses(prompt)
  }

  /// Updates the search while it is being typed.
  mutating func promptChanged() {
    guard case .prompt(let prompt) = mode, case .find(let isForward) = prompt.kind else { return }
    findWhileTyping(prompt.editor.text, isForward: isForward, origin: prompt.origin)
  }

  /// Returns the incomplete URL in a prompt, and the text before it; nil if the prompt has no URL.
  private static func typedAddress(in prompt: Prompt) -> (before: String, typed: String)? {
    let text = prompt.editor.text
    switch prompt.kind {
    case .open: return ("", text)
    case .command:
      guard let line = CommandLine(text), line.command.definition.argument == .address,
        let typed = line.argument, text.hasSuffix(typed)
      else { return nil }
      return (String(text.dropLast(typed.count)), typed)
    default: return nil
    }
  }

  /// The maximum length of a text for which completions are looked up, in characters.
  private static let longestGuess = 1024

  /// Looks up saved pages that match the typed text.
  mutating func askForAddresses(_ prompt: Prompt) {
    guard prompt.editor.characters.count <= Self.longestGuess,
      let (_, typed) = Self.typedAddress(in: prompt), typed.contains(where: { $0 != " " })
    else { return }
    outbox.append(.complete(typed))
  }

  /// Offers saved pages as completions, unless the text has changed in the meantime.
  mutating func take(_ pages: [SavedAddresses.Match], for typed: String) {
    guard case .prompt(var prompt) = mode, let address = Self.typedAddress(in: prompt),
      address.typed == typed, prompt.suggestions.chosen == nil
    else { return }
    prompt.suggestions = Suggestions(
      pages.map { .init(address.before + $0.url, note: $0.title) })
    mode = .prompt(prompt)
  }

  /// Replaces the text by the next completion. If it is the only one and a command that takes an
  /// argument, a space is appended.
  private mutating func complete(_ prompt: inout Prompt, by step: Int) {
    guard let text = prompt.suggestions.advance(by: step) else { return }
    prompt.editor.replace(with: text)
    if prompt.suggestions.all.count == 1, let line = CommandLine(text),
      line.command.definition.argument != nil,
      line.argument == nil, prompt.kind == .command
    {
      prompt.editor.insert(" ")
      prompt.suggestions = suggestions(for: prompt)
    }
    mode = .prompt(prompt)
  }

  private mutating func abandon(_ prompt: Prompt) -> [Effect] {
    mode = .page
    if case .file(let id, _) = prompt.kind { return remove(id) }
    guard case .find = prompt.kind, var view else { return [] }
    view.restore(prompt.origin, height: bodyHeight)
    self.view = view
    finding.clear()
    notice = nil
    return []
  }

  private mutating func answer(_ prompt: Prompt) -> [Effect] {
    switch prompt.kind {
    case .find(let isForward):
      finishFind(prompt.editor.text, isForward: isForward)
      return []
    case .search:
      let typed = prompt.editor.text
      let words = typed.contains { $0 != " " } ? typed : lists.words
      return words.isEmpty ? [] : open(.search(words))
    case .shell(let isPipe): return run(prompt.editor.text, isPipe: isPipe)
    case .download(let url, let attachment):
      return download(url, attachment, to: prompt.editor.text)
    case .file(let id, _): return save(id, as: prompt.editor.text)
    case .tags(let url, let areKnown):
      return [.tag(url, prompt.editor.text, isAdding: !areKnown)]
    case .note(let passage): return take(note: prompt.editor.text, for: passage)
    case .command: return perform(line: prompt.editor.text)
    case .user(let question, _):
      let user = prompt.editor.text
      if !user.isEmpty { openPrompt(.password(question, user: user)) }
      return []
    case .password(let question, let user):
      let credentials = Credentials(user: user, password: prompt.editor.text)
      answers.remember(user: user, for: question)
      // A form response with status 401 requires sending the form again with the credentials.
      return [.signIn(credentials, question)] + reload(isConfirmed: true)
    case .field(let field): return answer(prompt.editor.text, for: field)
    case .open:
      return visit(prompt.editor.text)
    }
  }

  /// Opens a typed URL.
  mutating func visit(_ address: String) -> [Effect] {
    guard address.contains(where: { $0 != " " }) else { return [] }
    return load(LoadRequest(address, origin: .user, options: loading.options), purpose: .visit)
  }

  /// Scrolls to another page of a paginated document, such as a PDF file.
  /// - Parameter steps: The number of pages; negative to go back.
  private mutating func goToPage(_ steps: Int) {
    guard let view, !view.page.document.pageStarts.isEmpty else {
      notice = Notice(text: "this page is not part of a book")
      return
    }
    guard let offset = view.page.document.page(steps, from: view.source) else {
      notice = Notice(text: steps > 0 ? "this is the last page" : "this is the first page")
      return
    }
    rememberJump()
    show(offset: offset)
  }

  /// Opens another part of a document in several parts, such as a book.
  /// - Parameter steps: The number of parts to move by; negative to go back.
  /// - Returns: The resulting effects.
  mutating func goToPart(_ steps: Int) -> [Effect] {
    guard let view, let parts = view.page.parts else {
      goToPage(steps)
      return []
    }
    let page = view.page
    guard let url = parts.url(steps) else {
      notice = Notice(text: steps > 0 ? "this is the last part" : "this is the first part")
      return []
    }
    return load(
      LoadRequest(url, origin: .link(from: page.url), options: loading.options), purpose: .visit)
  }
}
