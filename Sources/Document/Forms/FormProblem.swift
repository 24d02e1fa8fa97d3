/// A reason why a form cannot be submitted (HTML standard, section 4.10.20.2, "interactively
/// validate the constraints").
package enum FormProblem: Sendable, Equatable {
  /// A required control is not filled in, checked or chosen.
  case valueMissing
  case invalidEmail
  case invalidNumber
  /// The text is not a date or time with this syntax, or the date does not exist.
  case noDate(DateSyntax)
  /// The number is outside the bounds.
  case outOfRange(from: Double?, to: Double?)

  /// The message to show after the name of the field.
  package var message: String {
    switch self {
    case .valueMissing: "must be filled in"
    case .invalidEmail: "must be an e-mail address"
    case .invalidNumber: "must be a number"
    case .noDate(let syntax): "must be a \(syntax.noun) such as \(syntax.example)"
    case .outOfRange(let minimum?, let maximum?):
      "must be \(Self.formatted(minimum)) to \(Self.formatted(maximum))"
    case .outOfRange(let minimum?, nil): "must be \(Self.formatted(minimum)) or more"
    case .outOfRange(nil, let maximum?): "must be \(Self.formatted(maximum)) or less"
    case .outOfRange(nil, nil): "must be a number"
    }
  }

  private static func formatted(_ number: Double) -> String {
    let text = String(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension PageForms {
  /// Returns the first invalid control that the user can correct.
  /// - Parameters:
  ///   - form: Index of the form.
  ///   - button: Index of the button that submits it; nil without a button.
  ///   - values: The values that the user entered.
  /// - Returns: The control and its problem; nil if there is none, or if validation is disabled by
  ///   the form (`novalidate`) or the button (`formnovalidate`).
  package func problem(
    of form: Int32, by button: Int32?, _ values: FormValues
  ) -> (control: Int32, problem: FormProblem)? {
    let skipsValidation = button.map { controls[Int($0)].skipsValidation } ?? false
    guard !forms[Int(form)].skipsValidation, !skipsValidation else { return nil }
    let shownControls = Set(controlSpans.map(\.control))
    for index in controls(of: form) where shownControls.contains(index) {
      let control = controls[Int(index)]
      guard control.isInteractive, !control.isReadOnly else { continue }
      if let problem = problem(of: index, control, values) { return (index, problem) }
    }
    return nil
  }

  private func problem(
    of index: Int32, _ control: Control, _ values: FormValues
  ) -> FormProblem? {
    switch control.kind {
    case .text, .password, .textArea:
      let text = values.text(of: index, in: self)
      guard !text.isEmpty else { return control.isRequired ? .valueMissing : nil }
      return problem(of: text, control.syntax)
    case .checkbox:
      return control.isRequired && !values.isChecked(index, in: self) ? .valueMissing : nil
    case .radio:
      guard control.isRequired else { return nil }
      // One checked button of the group is enough.
      let isChecked = controls(of: control.form).contains {
        controls[Int($0)].kind == .radio && controls[Int($0)].name == control.name
          && values.isChecked($0, in: self)
      }
      return isChecked ? nil : .valueMissing
    case .select:
      guard control.isRequired else { return nil }
      let isChosen = values.selectedChoices(of: index, in: self).contains {
        !choices[Int($0)].isDisabled && !choices[Int($0)].value.isEmpty
      }
      return isChosen ? nil : .valueMissing
    // Files are never uploaded.
    case .file, .hidden, .submit, .reset, .scriptButton: return nil
    }
  }

  private func problem(of text: String, _ syntax: Control.Syntax) -> FormProblem? {
    switch syntax {
    case .any: return nil
    case .number(let minimum, let maximum):
      guard let number = Double(text), number.isFinite else { return .invalidNumber }
      let isWithin = minimum.map { number >= $0 } ?? true && maximum.map { number <= $0 } ?? true
      return isWithin ? nil : .outOfRange(from: minimum, to: maximum)
    case .date(let syntax): return syntax.accepts(text) ? nil : .noDate(syntax)
    case .email(isMultiple: false): return Self.isEmail(text[...]) ? nil : .invalidEmail
    case .email(isMultiple: true):
      return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(Self.isEmail)
        ? nil : .invalidEmail
    }
  }

  /// Returns whether there is text before the only @, and nonempty labels separated by dots after
  /// it. The server validates the characters.
  private static func isEmail(_ text: Substring) -> Bool {
    let text = text.trimmingSpaces
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
    let names = text[text.index(after: at)...]
      .split(separator: ".", omittingEmptySubsequences: false)
    return names.allSatisfy { !$0.isEmpty } && !text[..<at].contains("@")
      && !text.contains { $0.isWhitespace }
  }
}
