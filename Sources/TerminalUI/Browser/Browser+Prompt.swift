import Commands
import Document
import Layout
import OfflineCache
import Pages
import Profiles
import Terminal

extension Browser {
  /// Opens a prompt on the last row.
  mutating func openPrompt(_ kind: Prompt.Kind, text: String = "") {
    if case .find = kind, view == nil {
      notify("no page is open to search")
      return
    }
    var editor = LineEditor()
    editor.replace(with: kind == .open ? Prompt.joiningLines(text) : text)
    var prompt = Prompt(kind: kind, editor: editor, origin: view?.position ?? ReadingPosition())
    prompt.suggestions = context(for: .page).suggestions(for: prompt)
    layers.show(.prompt(prompt))
    findURLs(for: prompt)
  }

  /// Updates the search on the page and the completions after the text of a prompt has changed.
  mutating func promptChanged(_ prompt: Prompt) {
    if case .find(let isForward) = prompt.kind {
      findWhileTyping(prompt.editor.text, isForward: isForward, origin: prompt.origin)
    }
    findURLs(for: prompt)
  }

  /// Inserts pasted text into the open prompt.
  mutating func paste(_ text: String, into prompt: Prompt) {
    var prompt = prompt
    prompt.insert(text)
    prompt.suggestions = context(for: .page).suggestions(for: prompt)
    layers.show(.prompt(prompt))
    promptChanged(prompt)
  }

  /// The maximum length of a text for which completions are looked up, in characters.
  private static let maxCompletedLength = 1024

  /// Looks up saved pages that match the typed text.
  private mutating func findURLs(for prompt: Prompt) {
    guard prompt.editor.characters.count <= Self.maxCompletedLength,
      let (_, typed) = prompt.typedURL, typed.contains(where: { $0 != " " })
    else { return }
    outbox.append(.complete(typed))
  }

  /// Offers saved pages as completions, unless the text has changed in the meantime.
  mutating func handle(_ pages: [SavedAddresses.Match], for typed: String) {
    guard case .prompt(var prompt) = layers.input, let address = prompt.typedURL,
      address.typed == typed, prompt.suggestions.chosen == nil
    else { return }
    prompt.suggestions = Suggestions(
      pages.map { .init(address.before + $0.url, note: $0.title) })
    layers.show(.prompt(prompt))
  }

  /// Undoes the search of a cancelled prompt, or cancels the download whose file name it asks for.
  mutating func abandon(_ prompt: Prompt) -> [Effect] {
    if case .file(let id, _) = prompt.kind { return remove(id) }
    guard case .find = prompt.kind, var view else { return [] }
    view.restore(prompt.origin, height: bodyHeight)
    self.view = view
    finding.clear()
    notices.dismiss()
    return []
  }

  /// Performs the action of a prompt with the text that the user entered.
  mutating func respond(_ prompt: Prompt) -> [Effect] {
    inputHistory.remember(prompt.editor.text, in: prompt.typing)
    switch prompt.kind {
    case .find(let isForward):
      finishFind(prompt.editor.text, isForward: isForward)
      return []
    case .search:
      let typed = prompt.editor.text
      let text = typed.contains { $0 != " " } ? typed : lists.searchTerms
      return text.isEmpty ? [] : open(.search(text))
    case .shell(let isPipe): return run(prompt.editor.text, isPipe: isPipe)
    case .download(let url, let attachment):
      return download(url, attachment, to: prompt.editor.text)
    case .file(let id, _): return save(id, as: prompt.editor.text)
    case .tags(let url, let areKnown):
      return [.tag(url, prompt.editor.text, isAdding: !areKnown)]
    case .note(let passage): return store(note: prompt.editor.text, for: passage)
    case .command: return perform(line: prompt.editor.text)
    case .user(let question, _):
      let user = prompt.editor.text
      if !user.isEmpty { openPrompt(.password(question, user: user)) }
      return []
    case .password(let question, let user):
      let credentials = Credentials(user: user, password: prompt.editor.text)
      inputHistory.remember(user: user, for: question)
      // A form response with status 401 requires sending the form again with the credentials.
      return [.signIn(credentials, question)] + reload(isConfirmed: true)
    case .field(let field): return enter(prompt.editor.text, for: field)
    case .open:
      return openTyped(prompt.editor.text)
    }
  }

  /// Opens a typed URL.
  mutating func openTyped(_ address: String) -> [Effect] {
    guard address.contains(where: { $0 != " " }) else { return [] }
    return load(LoadRequest(address, origin: .user, options: loading.options), purpose: .visit)
  }

  /// Scrolls to another page of a paginated document, such as a PDF file.
  /// - Parameter steps: The number of pages; negative to go back.
  mutating func goToPage(_ steps: Int) {
    guard let view, !view.page.document.pageStarts.isEmpty else {
      notify("this page is not part of a book or collection")
      return
    }
    guard let offset = view.page.document.page(steps, from: view.source) else {
      notify(steps > 0 ? "this is the last page" : "this is the first page")
      return
    }
    rememberJump()
    show(offset: offset)
  }
}
