import Commands
import Saving
import Document
import Layout
import OfflineCache
import Reader
import Terminal

/// Forms: what the keys do with controls, and how a form is sent.
extension Browser {
  /// Does what Enter does on a control.
  mutating func activate(_ index: Int32) -> [Effect] {
    guard let view, let control = view.control(index), control.isActive else { return [] }
    self.view?.focus = .control(index)
    if control.isReadOnly, control.isLine || control.kind == .area {
      notice = Notice(text: "this cannot be changed")
      return []
    }
    let forms = view.page.document.forms
    switch control.kind {
    case .text, .password: ask(forControl: index, control, of: view)
    case .area:
      return [.edit(Array(view.values.text(of: index, in: forms).utf8), control: index)]
    case .checkbox, .radio: fill { $0.toggle(index, in: forms) }
    case .select: return open(.choices(index))
    case .file: notice = Notice(text: "offread sends no files; the form goes without")
    case .submit: return send(form: control.form, by: index)
    case .reset:
      guard control.form >= 0 else { break }
      fill { $0.reset(control.form, in: forms) }
      notice = Notice(text: "the form is as it was at first")
    case .hidden, .button: break
    }
    return []
  }

  /// Starts editing the first single-line text field on the screen or below it, or else the first one of the page.
  mutating func fillIn() {
    view?.complete()
    guard var view, let (index, line) = view.firstLine, let control = view.control(index) else {
      notice = Notice(text: "no field for text is on this page")
      return
    }
    view.focus = .control(index)
    view.reveal(line: line, height: bodyHeight)
    self.view = view
    ask(forControl: index, control, of: view)
  }

  /// Changes what is filled in, and shows it.
  mutating func fill(_ change: (inout FormValues) -> Void) {
    guard var view else { return }
    var values = view.values
    change(&values)
    let options = layoutOptions(
      for: view.page, like: view.options, gutter: view.gutter, values: values)
    view.fill(values, options, height: bodyHeight)
    self.view = view
    refreshMatches()
  }

  // MARK: Text

  /// The focused control, if a line of text is typed into it.
  var focusedLine: Int32? {
    guard let view, let index = view.focusedControl, let control = view.control(index),
      control.isLine, !control.isReadOnly
    else { return nil }
    return index
  }

  /// Asks for the text of a control, with some of it typed already.
  mutating func type(_ text: String, into index: Int32) {
    guard let view, let control = view.control(index) else { return }
    ask(forControl: index, control, of: view)
    guard case .prompt(var prompt) = mode else { return }
    prompt.insert(text)
    mode = .prompt(prompt)
  }

  private mutating func ask(
    forControl index: Int32, _ control: PageForms.Control, of view: PageView
  ) {
    let text = view.values.text(of: index, in: view.page.document.forms)
    let label = view.words(ofControl: index)
    openPrompt(
      .field(
        Prompt.Field(
          control: index, label: label.isEmpty ? "Text" : label,
          isSecret: control.kind == .password, limit: control.maximumLength)), text: text)
  }

  /// Puts the answer of a prompt into its field.
  private mutating func take(_ text: String, for field: Prompt.Field) {
    guard let view, view.control(field.control) != nil else { return }
    var shown = LineEditor()
    shown.replace(with: view.values.text(of: field.control, in: view.page.document.forms))
    // What the prompt cannot show stays as it is as long as nothing is typed.
    if shown.text != text { fill { $0.set(text, of: field.control) } }
  }

  /// Takes what was typed; a form with one line of text is sent by it, as elsewhere.
  mutating func answer(_ text: String, for field: Prompt.Field) -> [Effect] {
    take(text, for: field)
    guard let view, let form = view.control(field.control)?.form, form >= 0,
      isSentByEnter(form, from: field.control, of: view)
    else { return [] }
    let button = view.page.document.forms.defaultButton(of: form)
    if let button, view.control(button)?.isDisabled == true { return [] }
    return send(form: form, by: button)
  }

  /// Returns whether Enter in a text field submits the form: if there is no other text field, no visible button, or
  /// nothing but check boxes, radio buttons and buttons after the field.
  private func isSentByEnter(_ form: Int32, from line: Int32, of view: PageView) -> Bool {
    let forms = view.page.document.forms
    let controls = forms.controls(of: form)
    let lines = controls.filter { forms.controls[Int($0)].isLine }
    if lines.count == 1 { return true }
    let rest = controls.drop { $0 != line }.dropFirst()
    let isLast = rest.allSatisfy { index in
      switch forms.controls[Int(index)].kind {
      case .submit, .reset, .button, .hidden, .checkbox: true
      default: false
      }
    }
    if isLast, rest.contains(where: { forms.controls[Int($0)].isSubmit }) { return true }
    return !controls.contains { forms.controls[Int($0)].isSubmit && forms.span(of: $0) != nil }
  }

  /// Takes what was typed and goes on to the next control, and if text is typed there, begins to.
  mutating func leave(_ prompt: Prompt, field: Prompt.Field, by steps: Int) {
    mode = .page
    take(prompt.editor.text, for: field)
    moveFocus(by: steps)
    if let focusedLine { type("", into: focusedLine) }
  }

  /// Takes what the editor left of a text; nil when it did not end well.
  mutating func take(edited text: [UInt8]?, control: Int32) {
    guard let text else {
      notice = Notice(text: "the editor failed; the text is as before", isError: true)
      return
    }
    guard view?.control(control)?.kind == .area else { return }
    var words = String(decoding: text, as: UTF8.self).withUnixLines
    // Editors end the last line, too.
    if words.hasSuffix("\n") { words.removeLast() }
    fill { $0.set(words, of: control) }
  }

  // MARK: Choices

  /// The choices of a select as entries of a list.
  func choiceEntries(of control: Int32) -> [ListEntry] {
    guard let view, let select = view.control(control) else { return [] }
    let forms = view.page.document.forms
    let chosen = Set(view.values.chosen(of: control, in: forms))
    let isMultiple = select.kind == .select(isMultiple: true)
    var group = ""
    var entries: [ListEntry] = []
    for index in select.choices {
      let choice = forms.choices[Int(index)]
      if choice.group != group {
        group = choice.group
        if !group.isEmpty { entries.append(.heading(SafeText.line(group))) }
      }
      let isChosen = chosen.contains(index)
      let box = isMultiple ? (isChosen ? "[x] " : "[ ] ") : isChosen ? "(*) " : "( ) "
      var entry = ListEntry(
        box + SafeText.line(choice.label), to: choice.isDisabled ? .nowhere : .choice(index))
      if choice.isDisabled { entry.details[.note] = "not available" }
      entries.append(entry)
    }
    return entries
  }

  /// Takes a choice; a list of which one is taken closes.
  mutating func choose(_ choice: Int32, of control: Int32) {
    guard let view, let select = view.control(control), select.choices.contains(choice) else {
      return
    }
    let forms = view.page.document.forms
    fill { $0.choose(choice, of: control, in: forms) }
    if select.kind == .select(isMultiple: true) { refreshList() } else { list = nil }
  }

  // MARK: Sending

  /// Sends a form, or asks before.
  mutating func send(form: Int32, by button: Int32?) -> [Effect] {
    guard let view else { return [] }
    let forms = view.page.document.forms
    if form >= 0, let (index, problem) = forms.problem(of: form, by: button, view.values) {
      show(problem, of: index)
      return []
    }
    let outgoing: OutgoingForm
    do throws(OutgoingForm.Problem) {
      outgoing = try OutgoingForm(form, by: button, of: view.page, view.values)
    } catch {
      notice = Notice(text: error.words, isError: true)
      return []
    }
    if outgoing.content != nil, isOffline {
      notice = Notice(
        text: "not sent: offline mode; what is filled in stays, \(key(of: .offline)) goes online",
        isError: true)
      return []
    }
    if let doubt = outgoing.doubt {
      mode = .question(
        Question(words: words(for: doubt, outgoing), act: .send(outgoing, from: view.page.url)))
      return []
    }
    return send(outgoing, from: view.page.url)
  }

  /// Tells which control keeps a form from being sent, and goes there.
  private mutating func show(_ problem: FormProblem, of control: Int32) {
    guard var view else { return }
    view.focus = .control(control)
    if let line = view.line(of: .control(control)) { view.reveal(line: line, height: bodyHeight) }
    let words = view.words(ofControl: control)
    self.view = view
    notice = Notice(
      text: "not sent: \(words.isEmpty ? "the field" : SafeText.line(words)) \(problem.words)",
      isError: true)
  }

  private func words(for doubt: OutgoingForm.Doubt, _ form: OutgoingForm) -> String {
    let host = Self.host(of: shown(form.url)) ?? shown(form.url)
    return switch doubt {
    case .isReadable: "This goes to \(host) unencrypted. Send it?"
    case .isFromFile: "This page is a file. Send what is filled in to \(host)?"
    case .isFromCopy: "This page is a saved copy. Send what is filled in to \(host)?"
    }
  }

  /// Sends a form that stands on a page with an address.
  mutating func send(_ form: OutgoingForm, from page: String) -> [Effect] {
    load(
      LoadRequest(
        form.url, origin: .link(from: page), options: loading.options, content: form.content),
      purpose: .visit)
  }

  /// Tells why a form got no answer; the page with what is filled in stays.
  mutating func tellUnsent(_ error: ReaderError) {
    notice = Notice(text: error.wordsForForm, isError: true)
  }

  /// What the last row says of the focused control.
  func status(of control: Int32, in view: PageView) -> [StatusPart] {
    guard let (number, count, words) = description(of: control, in: view) else { return [] }
    return [("field \(number)/\(count)", .never), (words, .end)]
  }

  /// Which of the controls that can be reached a control is, from 1, how many there are, and what is to be
  /// said of it.
  func description(
    of control: Int32, in view: PageView
  ) -> (number: Int, count: Int, words: String)? {
    guard let found = view.control(control) else { return nil }
    let reachable = view.reachableControls
    let number = (reachable.firstIndex(of: control) ?? 0) + 1
    let forms = view.page.document.forms
    let enter = key(of: .follow)
    let state: String
    switch found.kind {
    case .text where found.isReadOnly, .password where found.isReadOnly,
      .area where found.isReadOnly:
      state = "cannot be changed"
    case .text: state = "text; \(enter) types"
    case .password: state = "password; \(enter) types"
    case .area: state = "text; \(enter) opens the editor"
    case .checkbox, .radio:
      state =
        (view.values.isChecked(control, in: forms) ? "checked" : "not checked")
        + "; \(enter) changes it"
    case .select: state = "\(DateWords.count(found.choices.count, "choice")); \(enter) lists them"
    case .file: state = "files are not sent"
    case .reset: state = "\(enter) makes the form as it was"
    case .hidden, .button: state = ""
    case .submit:
      let form = try? OutgoingForm(found.form, by: control, of: view.page, view.values)
      let isPost = form?.content != nil
      let target = form.map { shown(isPost ? $0.url : String($0.url.prefix { $0 != "?" })) } ?? ""
      state = isPost ? "sends \(glyphs.arrow) \(target)" : "opens \(glyphs.arrow) \(target)"
    }
    return (
      number, reachable.count, "\(SafeText.line(view.words(ofControl: control))): \(state)"
    )
  }
}
