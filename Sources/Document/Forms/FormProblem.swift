/// Why a form is not sent as it is filled in (HTML standard, section 4.10.20.2, "interactively validate the
/// constraints").
package enum FormProblem: Sendable, Equatable {
  /// It must be filled in, checked or chosen.
  case missing
  case noEmail
  case noNumber
  /// The number is not within the bounds that there are.
  case outOfRange(from: Double?, to: Double?)

  /// What is to be said behind the name of the field.
  package var words: String {
    switch self {
    case .missing: "must be filled in"
    case .noEmail: "takes an e-mail address"
    case .noNumber: "takes a number"
    case .outOfRange(let least?, let most?): "takes \(Self.text(least)) to \(Self.text(most))"
    case .outOfRange(let least?, nil): "takes \(Self.text(least)) or more"
    case .outOfRange(nil, let most?): "takes \(Self.text(most)) or less"
    case .outOfRange(nil, nil): "takes a number"
    }
  }

  private static func text(_ number: Double) -> String {
    let text = String(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension PageForms {
  /// Looks for what keeps a form from being sent.
  /// - Parameters:
  ///   - form: its index.
  ///   - button: the control that sends it, or nil.
  ///   - values: what was filled in.
  /// - Returns: the first control of those that a person can do something about, and why; nil when there is
  ///   none, or when the form or the button do not care.
  package func problem(
    of form: Int32, by button: Int32?, _ values: FormValues
  ) -> (control: Int32, problem: FormProblem)? {
    let isUnchecked = button.map { controls[Int($0)].isUnchecked } ?? false
    guard !forms[Int(form)].isUnchecked, !isUnchecked else { return nil }
    let shown = Set(spans.map(\.control))
    for index in controls(of: form) where shown.contains(index) {
      let control = controls[Int(index)]
      guard control.isActive, !control.isReadOnly else { continue }
      if let problem = problem(of: index, control, values) { return (index, problem) }
    }
    return nil
  }

  private func problem(
    of index: Int32, _ control: Control, _ values: FormValues
  ) -> FormProblem? {
    switch control.kind {
    case .text, .password, .area:
      let text = values.text(of: index, in: self)
      guard !text.isEmpty else { return control.isRequired ? .missing : nil }
      return problem(of: text, control.syntax)
    case .checkbox:
      return control.isRequired && !values.isChecked(index, in: self) ? .missing : nil
    case .radio:
      guard control.isRequired else { return nil }
      // One of the group is enough.
      let isChecked = controls(of: control.form).contains {
        controls[Int($0)].kind == .radio && controls[Int($0)].name == control.name
          && values.isChecked($0, in: self)
      }
      return isChecked ? nil : .missing
    case .select:
      guard control.isRequired else { return nil }
      let isChosen = values.chosen(of: index, in: self).contains {
        !choices[Int($0)].isDisabled && !choices[Int($0)].value.isEmpty
      }
      return isChosen ? nil : .missing
    // No file is sent anyhow.
    case .file, .hidden, .submit, .reset, .button: return nil
    }
  }

  private func problem(of text: String, _ syntax: Control.Syntax) -> FormProblem? {
    switch syntax {
    case .any: return nil
    case .number(let least, let most):
      guard let number = Double(text), number.isFinite else { return .noNumber }
      let isWithin = least.map { number >= $0 } ?? true && most.map { number <= $0 } ?? true
      return isWithin ? nil : .outOfRange(from: least, to: most)
    case .email(isMultiple: false): return Self.isEmail(text[...]) ? nil : .noEmail
    case .email(isMultiple: true):
      return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(Self.isEmail)
        ? nil : .noEmail
    }
  }

  /// Whether there is something before an @, and names with dots between them behind it. Which letters they
  /// have is the server's to say.
  private static func isEmail(_ text: Substring) -> Bool {
    let text = text.drop { $0 == " " }
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
    let names = text[text.index(after: at)...]
      .split(separator: ".", omittingEmptySubsequences: false)
    return names.allSatisfy { !$0.isEmpty } && !text[..<at].contains("@")
      && !text.contains { $0.isWhitespace }
  }
}
