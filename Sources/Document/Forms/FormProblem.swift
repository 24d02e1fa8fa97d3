import DOM

/// A reason why a form cannot be submitted (HTML standard, section 4.10.20.2, "interactively
/// validate the constraints").
package enum FormProblem: Sendable, Equatable {
  /// A required control is not filled in, checked or chosen.
  case valueMissing
  case invalidEmail
  case invalidURL
  case invalidNumber
  /// The text is not a date or time with this syntax, or the date does not exist.
  case noDate(DateSyntax)
  /// The number is outside the bounds.
  case outOfRange(from: Double?, to: Double?)
  /// The date or time is outside the bounds.
  case dateOutOfRange(from: String?, to: String?)
  /// The number is between two steps.
  case betweenSteps(Double, Double)
  /// The text that the user entered has fewer UTF-16 code units than the minimum.
  case tooShort(minimum: Int)
  /// The text does not match the regular expression of the field, which has this description.
  case patternMismatch(description: String)

  /// The message to show after the name of the field.
  package var message: String {
    switch self {
    case .valueMissing: "must be filled in"
    case .invalidEmail: "must be an e-mail address"
    case .invalidURL: "must be a URL such as https://site.example/"
    case .invalidNumber: "must be a number"
    case .noDate(let syntax): "must be a \(syntax.noun) such as \(syntax.example)"
    case .dateOutOfRange(let minimum?, let maximum?): "must be \(minimum) to \(maximum)"
    case .dateOutOfRange(let minimum?, nil): "must be \(minimum) or later"
    case .dateOutOfRange(nil, let maximum): "must be \(maximum ?? "") or earlier"
    case .betweenSteps(let lower, let upper) where lower == upper:
      "must be a number such as \(Self.formatted(lower))"
    case .betweenSteps(let lower, let upper):
      "must be a number such as \(Self.formatted(lower)) or \(Self.formatted(upper))"
    case .tooShort(let minimum): "must have at least \(minimum) characters"
    case .patternMismatch(""): "does not have the format that the page requires"
    case .patternMismatch(let description):
      "does not have the format that the page requires: \(description)"
    case .outOfRange(let minimum?, let maximum?):
      "must be \(Self.formatted(minimum)) to \(Self.formatted(maximum))"
    case .outOfRange(let minimum?, nil): "must be \(Self.formatted(minimum)) or more"
    case .outOfRange(nil, let maximum?): "must be \(Self.formatted(maximum)) or less"
    case .outOfRange(nil, nil): "must be a number"
    }
  }

  private static func formatted(_ number: Double) -> String {
    // Sums of steps such as 0.1 have rounding errors.
    let rounded = (number * 1e9).rounded() / 1e9
    let isNear = abs(number) < 1e6 && abs(number - rounded) <= abs(number) * 1e-12
    let text = String(isNear ? rounded : number)
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
    of form: Int, by button: Int32?, _ values: FormValues
  ) -> (control: Int32, problem: FormProblem)? {
    let skipsValidation = button.map { controls[Int($0)].skipsValidation } ?? false
    guard !forms[form].skipsValidation, !skipsValidation else { return nil }
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
      return problem(of: text, control.syntax) ?? stepProblem(of: text, control)
        ?? lengthProblem(of: text, control) ?? patternProblem(of: text, control)
    case .checkbox:
      return control.isRequired && !values.isChecked(index, in: self) ? .valueMissing : nil
    case .radio:
      guard control.isRequired else { return nil }
      // One checked button of the group is enough.
      let group = control.form.value.map { controls(of: $0) } ?? []
      let isChecked = group.contains {
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
    case .date(let syntax, let minimum, let maximum):
      guard syntax.accepts(text) else { return .noDate(syntax) }
      return syntax.isWithin(text, from: minimum, to: maximum)
        ? nil : .dateOutOfRange(from: minimum, to: maximum)
    case .email(isMultiple: false): return Self.isEmail(text[...]) ? nil : .invalidEmail
    case .email(isMultiple: true):
      return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(Self.isEmail)
        ? nil : .invalidEmail
    case .url: return Self.isAbsoluteURL(text) ? nil : .invalidURL
    }
  }

  private func stepProblem(of text: String, _ control: Control) -> FormProblem? {
    guard let step = control.step, case .number(let minimum, let maximum) = control.syntax,
      let number = Double(text)
    else { return nil }
    let count = (number - step.base) / step.size
    // Decimal fractions such as 0.1 have no exact binary value.
    guard abs(count) < 1e9, abs(count - count.rounded()) > 1e-6 else { return nil }
    let steps = [count.rounded(.down), count.rounded(.up)].map { step.base + $0 * step.size }
    let valid = steps.filter { $0 >= minimum ?? $0 && $0 <= maximum ?? $0 }
    return .betweenSteps(valid.first ?? steps[0], valid.last ?? steps[1])
  }

  /// Only texts that the user entered can be too short. Numbers and dates have no minimum length.
  private func lengthProblem(of text: String, _ control: Control) -> FormProblem? {
    switch control.syntax {
    case .number, .date: return nil
    case .any, .email, .url: break
    }
    guard let minimum = control.minLength, text != control.value, text.utf16.count < minimum else {
      return nil
    }
    return .tooShort(minimum: minimum)
  }

  private func patternProblem(of text: String, _ control: Control) -> FormProblem? {
    guard !control.pattern.isEmpty, let pattern = InputPattern(control.pattern) else { return nil }
    let parts =
      control.syntax == .email(isMultiple: true)
      ? text.split(separator: ",").map { String($0.trimmingSpaces) } : [text]
    return parts.allSatisfy(pattern.matches)
      ? nil : .patternMismatch(description: control.patternDescription)
  }

  /// Returns whether a text has a scheme and, if the scheme has hosts, a host. The server validates
  /// the rest.
  private static func isAbsoluteURL(_ text: String) -> Bool {
    let text = text[...].trimmingSpaces
    guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first,
      (0x61...0x7A).contains(first | 0x20)
    else { return false }
    let scheme = text[..<colon].lowercased()
    let marks: Set<UInt8> = [0x2B, 0x2D, 0x2E]
    guard
      scheme.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || marks.contains($0)
      })
    else { return false }
    guard ["http", "https", "ftp", "ws", "wss"].contains(scheme) else { return true }
    let rest = text[text.index(after: colon)...].drop { $0 == "/" || $0 == "\\" }
    let host = rest.prefix { !"/\\?#".contains($0) }
    return !host.isEmpty && !host.contains { $0.isWhitespace }
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
