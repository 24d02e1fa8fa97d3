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
    // The rest of a search text must not run as commands while the first page is loaded.
    if case .find = kind, view == nil, loading.load == nil {
      notify("there is no open page to search")
      return
    }
    var editor = LineEditor()
    editor.replace(with: kind == .openURL ? Prompt.withoutLineBreaks(text) : text)
    var prompt = Prompt(
      kind: kind, editor: editor, initialPosition: view?.position ?? ReadingPosition())
    prompt.completions = layerContext(for: .page).completions(for: prompt)
    layers.showInput(.prompt(prompt))
    findCompletions(for: prompt)
  }

  /// Updates the search on the page and the completions after the text of a prompt has changed.
  mutating func updatePromptResults(_ prompt: Prompt) {
    if case .find(let isForward) = prompt.kind {
      findWhileTyping(prompt.editor.text, isForward: isForward, origin: prompt.initialPosition)
    }
    findCompletions(for: prompt)
  }

  /// Inserts pasted text into the open prompt.
  mutating func paste(_ text: String, into prompt: Prompt) {
    var prompt = prompt
    prompt.insert(text)
    prompt.completions = layerContext(for: .page).completions(for: prompt)
    layers.showInput(.prompt(prompt))
    updatePromptResults(prompt)
  }

  /// The maximum length of a text for which completions are looked up, in characters.
  private static let maxCompletionInputLength = 1024

  /// Looks up what completes the typed text.
  private mutating func findCompletions(for prompt: Prompt) {
    guard prompt.editor.characters.count <= Self.maxCompletionInputLength,
      let (_, typed, subject) = prompt.completableText, typed.contains(where: { $0 != " " })
    else { return }
    additionalEffects.append(.findCompletions(typed, subject))
  }

  /// Offers pages and files as completions, unless the text has changed in the meantime. If the key
  /// for completion was pressed already, selects one of them.
  mutating func showCompletions(
    _ pages: [SavedAddresses.Match], for typed: String
  ) -> [Effect] {
    guard case .prompt(var prompt) = layers.topInput, let address = prompt.completableText,
      address.typed == typed, prompt.completions.selectedIndex == nil
    else { return [] }
    let step = prompt.completions.awaitedStep
    prompt.completions = CompletionList(
      pages.map { .init(address.before + $0.url, note: $0.title) })
    let requests = step.map { prompt.complete(by: $0, in: layerContext(for: .page)) } ?? []
    layers.showInput(.prompt(prompt))
    return carryOut(requests)
  }

  /// Undoes the search of a cancelled prompt, or cancels the download whose file name it asks for.
  mutating func abandonPrompt(_ prompt: Prompt) -> [Effect] {
    if case .fileName(let id, _) = prompt.kind { return remove(id) }
    guard case .find = prompt.kind, var view else { return [] }
    view.restore(prompt.initialPosition, height: bodyHeight)
    self.view = view
    pageSearch.clearMatches()
    notices.dismiss()
    return []
  }

  /// Performs the action of a prompt with the text that the user entered.
  mutating func submitPrompt(_ prompt: Prompt) -> [Effect] {
    inputHistory.record(prompt.editor.text, in: prompt.inputContext)
    switch prompt.kind {
    case .find(let isForward):
      finishFindPrompt(prompt.editor.text, isForward: isForward)
      return []
    case .search:
      let typedText = prompt.editor.text
      let text = typedText.contains { $0 != " " } ? typedText : listData.searchTerms
      return text.isEmpty ? [] : openList(.search(text))
    case .shell(let isPipe): return runShellCommand(prompt.editor.text, isPipe: isPipe)
    case .download(let url, let attachment):
      return download(url, attachment, to: prompt.editor.text)
    case .fileName(let id, _): return save(id, as: prompt.editor.text)
    case .tags(let url, let areKnown):
      return [.setTags(url, prompt.editor.text, isAdding: !areKnown)]
    case .highlightNote(let passage): return storeNote(prompt.editor.text, for: passage)
    case .commandLine: return perform(line: prompt.editor.text)
    case .userName(let question, _):
      let userName = prompt.editor.text
      if !userName.isEmpty { openPrompt(.password(question, user: userName)) }
      return []
    case .password(let question, let user):
      let credentials = Credentials(user: user, password: prompt.editor.text)
      inputHistory.recordUser(user, for: question)
      // A form response with status 401 requires sending the form again with the credentials.
      return [.signIn(credentials, question)] + reload(isConfirmed: true)
    case .formField(let field): return submitFieldText(prompt.editor.text, for: field)
    case .openURL:
      return openTypedURL(prompt.editor.text)
    }
  }

  /// Opens a typed URL.
  mutating func openTypedURL(_ text: String) -> [Effect] {
    guard text.contains(where: { $0 != " " }) else { return [] }
    return load(LoadRequest(text, origin: .user, options: loading.options), purpose: .newEntry)
  }

  /// Scrolls to another page of a paginated document, such as a PDF file.
  /// - Parameter steps: The number of pages; negative to go back.
  mutating func movePages(_ steps: Int) {
    guard let view, !view.page.document.pageStarts.isEmpty else {
      notify("this page is not part of a book or collection")
      return
    }
    guard let offset = view.page.document.pageOffset(steps, from: view.topSource) else {
      notify(steps > 0 ? "this is the last page" : "this is the first page")
      return
    }
    recordJumpOrigin()
    show(offset: offset)
  }
}
