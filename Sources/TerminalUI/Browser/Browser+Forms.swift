import Commands
import Configuration
import DOM
import Document
import Layout
import OfflineCache
import Pages
import Saving
import Terminal

/// Forms: the effects of keys on controls, and form submission.
extension Browser {
  /// Activates a control, as Enter or a click on it does.
  mutating func activate(_ index: Int32) -> [Effect] {
    guard let view, let control = view.control(index), control.isInteractive else { return [] }
    self.view?.focus = .control(index)
    if control.isReadOnly, control.isSingleLineText || control.kind == .textArea {
      notify("this field cannot be changed")
      return []
    }
    let forms = view.page.document.forms
    switch control.kind {
    case .text, .password: promptForControl(forControl: index, control, of: view)
    case .textArea:
      return [.editControlText(Array(view.values.text(of: index, in: forms).utf8), control: index)]
    case .checkbox, .radio: changeFormValues { $0.toggle(index, in: forms) }
    case .select: return openList(.choices(index))
    case .file: notify("offread cannot upload files; the form is sent without them")
    case .submit: return submit(form: control.form.value, by: index)
    case .reset:
      guard let form = control.form.value else { break }
      changeFormValues { $0.reset(form, in: forms) }
      notify("the form has been reset")
    case .hidden, .scriptButton: break
    }
    return []
  }

  /// Starts editing the first editable single-line text field at or below the top of the screen, or
  /// else the first one of the page.
  mutating func editFirstTextField() {
    view?.layOutRest()
    guard var view, let (index, line) = view.firstTextField, let control = view.control(index)
    else {
      notify("this page has no text field")
      return
    }
    view.focus = .control(index)
    view.reveal(line: line, height: bodyHeight)
    self.view = view
    promptForControl(forControl: index, control, of: view)
  }

  /// Changes form values and updates their display.
  mutating func changeFormValues(_ change: (inout FormValues) -> Void) {
    guard var view else { return }
    var values = view.values
    change(&values)
    let options = layoutOptions(
      for: view.page, like: view.options, gutterWidth: view.gutterWidth, values: values)
    view.setFormValues(values, options, height: bodyHeight)
    self.view = view
    refreshMatches()
  }

  // MARK: Text

  /// The focused control if it is an editable single-line text field; nil otherwise.
  var focusedTextField: Int32? {
    guard let view, let index = view.focusedControl, let control = view.control(index),
      control.isSingleLineText, !control.isReadOnly
    else { return nil }
    return index
  }

  /// Opens the prompt for a control and inserts text into it.
  mutating func type(_ text: String, into index: Int32) {
    guard let view, let control = view.control(index) else { return }
    promptForControl(forControl: index, control, of: view)
    guard case .prompt(var prompt) = layers.topInput else { return }
    prompt.insert(text)
    prompt.completions = layerContext(for: .page).completions(for: prompt)
    layers.showInput(.prompt(prompt))
  }

  private mutating func promptForControl(
    forControl index: Int32, _ control: PageForms.Control, of view: PageView
  ) {
    let text = view.values.text(of: index, in: view.page.document.forms)
    let label = view.controlLabel(ofControl: index)
    openPrompt(
      .formField(
        Prompt.FormField(
          control: index, label: label.isEmpty ? "Text" : label,
          isSecret: control.kind == .password, maxLength: control.maxLength)), text: text)
  }

  /// Sets the value of a field to the text of its prompt.
  mutating func setFieldText(_ text: String, for field: Prompt.FormField) {
    guard let view, view.control(field.control) != nil else { return }
    var shown = LineEditor()
    shown.replace(with: view.values.text(of: field.control, in: view.page.document.forms))
    // Characters that the prompt cannot show are retained unless the text was edited.
    if shown.text != text { changeFormValues { $0.setText(text, of: field.control) } }
  }

  /// Sets the value of a field after Enter, and submits the form if Enter submits it.
  mutating func submitFieldText(_ text: String, for field: Prompt.FormField) -> [Effect] {
    setFieldText(text, for: field)
    guard let view, let form = view.control(field.control)?.form.value,
      isSubmittedByEnter(form, from: field.control, of: view)
    else { return [] }
    let button = view.page.document.forms.defaultButton(of: form)
    if let button, view.control(button)?.isDisabled == true { return [] }
    return submit(form: form, by: button)
  }

  /// Returns whether Enter in a text field submits the form: if it is the only text field; if a
  /// submit button is among the controls after it, and those are only checkboxes, hidden controls
  /// and buttons; or if the form has no visible submit button.
  private func isSubmittedByEnter(_ form: Int, from textField: Int32, of view: PageView) -> Bool {
    let forms = view.page.document.forms
    let controls = forms.controls(of: form)
    let lines = controls.filter { forms.controls[Int($0)].isSingleLineText }
    if lines.count == 1 { return true }
    let rest = controls.drop { $0 != textField }.dropFirst()
    let isLast = rest.allSatisfy { index in
      switch forms.controls[Int(index)].kind {
      case .submit, .reset, .scriptButton, .hidden, .checkbox: true
      default: false
      }
    }
    if isLast, rest.contains(where: { forms.controls[Int($0)].isSubmit }) { return true }
    return !controls.contains {
      forms.controls[Int($0)].isSubmit && forms.controlSpan(of: $0) != nil
    }
  }

  /// Sets the value of a field and moves the focus by a number of links and controls; if it reaches
  /// a text field, the prompt of that field is opened.
  mutating func leaveField(_ field: Prompt.FormField, text: String, by steps: Int) {
    setFieldText(text, for: field)
    moveFocus(by: steps)
    if let focusedTextField { type("", into: focusedTextField) }
  }

  /// Sets the value of a text area to the edited text, or reports that the editor failed.
  mutating func setTextArea(edited result: EditedText, control: Int32) {
    guard case .text(let text) = result else {
      if case .failed(let code) = result {
        reportError("the text is unchanged: the editor \(ShellCommand.exitText(code))")
      }
      return
    }
    guard let view, view.control(control)?.kind == .textArea else { return }
    let oldText = view.values.text(of: control, in: view.page.document.forms).withLFLineEndings
    var editedText = String(decoding: text, as: UTF8.self).withLFLineEndings
    // Editors add a final newline.
    if editedText.hasSuffix("\n"), !oldText.hasSuffix("\n") { editedText.removeLast() }
    // An editor with a window of its own may have ended before the user could type.
    if editedText == oldText { notify("the editor ended; the text is unchanged") }
    changeFormValues { $0.setText(editedText, of: control) }
  }

  // MARK: Choices

  /// Returns the choices of a select control as list entries.
  func choiceEntries(of control: Int32) -> [ListEntry] {
    guard let view, let select = view.control(control) else { return [] }
    let forms = view.page.document.forms
    let chosen = Set(view.values.selectedChoices(of: control, in: forms))
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
      if choice.isDisabled { entry.details[.extraText] = "not available" }
      entries.append(entry)
    }
    return entries
  }

  /// Selects or deselects a choice; the list is closed if only one choice can be selected.
  mutating func choose(_ choice: Int32, of control: Int32) {
    guard let view, let select = view.control(control), select.choices.contains(choice) else {
      return
    }
    let forms = view.page.document.forms
    changeFormValues { $0.selectChoice(choice, of: control, in: forms) }
    if select.kind == .select(isMultiple: true) { refreshList() } else { list = nil }
  }

  // MARK: Submission

  /// Submits a form, or asks for confirmation first.
  mutating func submit(form: Int?, by button: Int32?) -> [Effect] {
    guard let view else { return [] }
    let forms = view.page.document.forms
    if let form, let (index, problem) = forms.problem(of: form, by: button, view.values) {
      showProblem(problem, of: index)
      return []
    }
    let outgoing: OutgoingForm
    do throws(OutgoingForm.Problem) {
      outgoing = try OutgoingForm(form, by: button, of: view.page, view.values)
    } catch {
      reportError(error.message)
      return []
    }
    if outgoing.content != nil, isOffline {
      reportError(
        "not sent in offline mode; the form keeps your input;"
          + " \(keyName(of: .offline)) leaves offline mode")
      return []
    }
    if let reason = outgoing.confirmationReason {
      showQuestion(
        Question(
          text: confirmationQuestion(for: reason, outgoing),
          action: .submitForm(outgoing, from: view.page.url)))
      return []
    }
    return submit(outgoing, from: view.page.url)
  }

  /// Reports the control that prevents the submission, and moves the focus to it.
  private mutating func showProblem(_ problem: FormProblem, of control: Int32) {
    guard var view else { return }
    view.focus = .control(control)
    if let line = view.line(of: .control(control)) { view.reveal(line: line, height: bodyHeight) }
    let text = view.controlLabel(ofControl: control)
    self.view = view
    let name = text.isEmpty ? "the field" : SafeText.line(text)
    reportError("not sent: \(name) \(SafeText.line(problem.message))")
  }

  private func confirmationQuestion(
    for reason: OutgoingForm.ConfirmationReason, _ form: OutgoingForm
  ) -> String {
    let host = Self.host(of: displayURL(form.url)) ?? displayURL(form.url)
    return switch reason {
    case .isUnencrypted: "The form would be sent to \(host) unencrypted. Send it?"
    case .isFromFile: "This page is a file. Send your input to \(host)?"
    case .isFromCopy: "This page is a saved copy. Send your input to \(host)?"
    }
  }

  /// Submits a form of the page with URL `page`. Before it sends a form with a body, it asks about
  /// the cookies that the site set with the page, unless the user has decided about that site:
  /// the site may expect them with the form.
  mutating func submit(_ form: OutgoingForm, from page: DocumentAddress) -> [Effect] {
    if form.content != nil, let cookies = view?.page.formCookies,
      let site = form.url.parsedURL?.site, cookies.hasCookies(of: site),
      choices.cookieChoices[site] == nil
    {
      let action = Question.Action.submitFormWithCookies(form, from: page, cookies, site: site)
      showQuestion(Question(cookiesOf: site, separator: glyphs.separator, for: action))
      return []
    }
    return load(
      LoadRequest(
        form.url, origin: .link(from: page), options: loading.options, content: form.content),
      purpose: .newEntry)
  }

  /// Reports why a submission failed; the page with the form values remains.
  mutating func reportSubmissionFailure(_ error: ReaderError) {
    reportError(error.formMessage)
  }

  /// Returns the parts of the status line that describe the focused control.
  func controlStatusParts(of control: Int32, in view: PageView) -> [StatusPart] {
    guard let (number, count, text) = controlDescription(of: control, in: view) else { return [] }
    return [("field \(number)/\(count)", .never), (text, .end)]
  }

  /// Returns the number of a control among the reachable ones, from 1, their total, and a
  /// description of the control; nil if there is no such control.
  func controlDescription(
    of control: Int32, in view: PageView
  ) -> (number: Int, count: Int, text: String)? {
    guard let found = view.control(control) else { return nil }
    let reachable = view.reachableControls
    let number = (reachable.firstIndex(of: control) ?? 0) + 1
    let forms = view.page.document.forms
    let followKey = keyName(of: .follow)
    let state: String
    switch found.kind {
    case .text where found.isReadOnly, .password where found.isReadOnly,
      .textArea where found.isReadOnly:
      state = "cannot be changed"
    case .text: state = "text; \(followKey) types"
    case .password: state = "password; \(followKey) types"
    case .textArea: state = "text; \(followKey) opens the editor"
    case .checkbox, .radio:
      state =
        (view.values.isChecked(control, in: forms) ? "checked" : "not checked")
        + "; \(followKey) changes it"
    case .select:
      state = "\(DateTexts.countText(found.choices.count, "choice")); \(followKey) lists them"
    case .file: state = "files are not sent"
    case .reset: state = "\(followKey) resets the form"
    case .hidden, .scriptButton: state = ""
    case .submit:
      if let form = try? OutgoingForm(found.form.value, by: control, of: view.page, view.values) {
        let isPost = form.content != nil
        let target = displayURL(isPost ? form.url.text : String(form.url.text.prefix { $0 != "?" }))
        state = "\(isPost ? "sends" : "opens") \(glyphs.arrow) \(target)"
      } else {
        state = "cannot be sent; \(followKey) shows the reason"
      }
    }
    let label = SafeText.line(view.controlLabel(ofControl: control))
    return (number, reachable.count, label.isEmpty ? state : "\(label): \(state)")
  }
}
