import DOM

/// The values that the user entered into the forms of a page, as differences from the initial
/// values.
package struct FormValues: Sendable, Equatable {
  /// The changes, by index of the control.
  private var changes: [Int32: ControlState] = [:]
  /// Changes to controls that this view or version of the page does not have, but another may have.
  private var unmatchedChanges: [ControlKey: ControlState] = [:]
  /// The number of the page visit. Values are not shared between separate visits to the same URL.
  package private(set) var visitNumber = 0

  package init() {}

  /// The current state of a control.
  package enum ControlState: Sendable, Equatable {
    case text(String)
    case checkedness(Bool)
    /// The indices of the selected choices, relative to the control's first.
    case selectedChoices(Set<Int32>)
  }

  /// Whether nothing was changed.
  package var isEmpty: Bool { changes.isEmpty && unmatchedChanges.isEmpty }

  /// Returns the text in a control.
  package func text(of control: Int32, in forms: PageForms) -> String {
    if case .text(let text)? = changes[control] { return text }
    return forms.controls[Int(control)].value
  }

  /// Returns whether a checkbox or radio button is checked.
  package func isChecked(_ control: Int32, in forms: PageForms) -> Bool {
    if case .checkedness(let isChecked)? = changes[control] { return isChecked }
    return forms.controls[Int(control)].isInitiallyChecked
  }

  /// Returns the indices in `PageForms.choices` of the selected choices of a `select`.
  package func selectedChoices(of control: Int32, in forms: PageForms) -> [Int32] {
    let range = forms.controls[Int(control)].choices
    if case .selectedChoices(let chosen)? = changes[control] {
      return range.filter { chosen.contains($0 - range.lowerBound) }
    }
    return range.filter { forms.choices[Int($0)].isInitiallySelected }
  }

  /// Sets the text of a control.
  package mutating func setText(_ text: String, of control: Int32) {
    changes[control] = .text(text)
  }

  /// Toggles a checkbox, or checks a radio button and unchecks the others of its group.
  package mutating func toggle(_ control: Int32, in forms: PageForms) {
    let toggled = forms.controls[Int(control)]
    guard toggled.kind == .radio else {
      changes[control] = .checkedness(!isChecked(control, in: forms))
      return
    }
    if !toggled.name.isEmpty {
      for (index, other) in zip(Int32(0)..., forms.controls)
      where other.kind == .radio && other.form == toggled.form && other.name == toggled.name {
        changes[index] = .checkedness(false)
      }
    }
    changes[control] = .checkedness(true)
  }

  /// Selects a choice of a `select`, or toggles it if several choices can be selected.
  /// - Parameters:
  ///   - choice: Index in `PageForms.choices`.
  ///   - control: Index of the `select`.
  ///   - forms: The forms of the page.
  package mutating func selectChoice(_ choice: Int32, of control: Int32, in forms: PageForms) {
    let first = forms.controls[Int(control)].choices.lowerBound
    var chosen: Set<Int32> = []
    if forms.controls[Int(control)].kind == .select(isMultiple: true) {
      chosen = Set(selectedChoices(of: control, in: forms).map { $0 - first })
    }
    chosen.formSymmetricDifference([choice - first])
    changes[control] = .selectedChoices(chosen)
  }

  /// Resets a form to its initial state.
  package mutating func reset(_ form: Int, in forms: PageForms) {
    for control in forms.controls(of: form) { changes[control] = nil }
  }

  // MARK: Other versions of the page

  /// An identification of a control that is the same in all versions and views of a page.
  package struct ControlKey: Sendable, Hashable {
    fileprivate var action: String
    fileprivate var name: String
    fileprivate var kind: PageForms.Control.Kind
    fileprivate var value: String
    /// A number that distinguishes controls whose other properties are equal.
    fileprivate var ordinal = 0
  }

  /// Entered values that can be applied to another version or view of the page, because each
  /// control is identified by a `ControlKey`.
  package struct TransferableValues: Sendable, Equatable {
    fileprivate var changes: [ControlKey: ControlState] = [:]
    /// See `FormValues.visitNumber`.
    package let visitNumber: Int

    /// Creates an empty set of values.
    package init(visitNumber: Int = 0) {
      self.visitNumber = visitNumber
    }

    /// Whether there are no values.
    package var isEmpty: Bool { changes.isEmpty }
  }

  /// Returns the entered values by the keys of their controls, to be applied to another version of
  /// the page.
  package func transferableValues(of forms: PageForms) -> TransferableValues {
    var keptValues = TransferableValues(visitNumber: visitNumber)
    keptValues.changes = unmatchedChanges
    guard !changes.isEmpty else { return keptValues }
    for (index, key) in zip(Int32(0)..., forms.controlKeys) {
      if let change = changes[index] { keptValues.changes[key] = change }
    }
    return keptValues
  }

  /// Applies the values whose controls exist in the forms, and keeps the others.
  package init(_ transferableValues: TransferableValues, in forms: PageForms) {
    visitNumber = transferableValues.visitNumber
    guard !transferableValues.changes.isEmpty else { return }
    unmatchedChanges = transferableValues.changes
    for (index, key) in zip(Int32(0)..., forms.controlKeys) {
      changes[index] = unmatchedChanges.removeValue(forKey: key)
    }
  }
}

extension PageForms {
  /// The key of each control.
  fileprivate var controlKeys: [FormValues.ControlKey] {
    var counts: [FormValues.ControlKey: Int] = [:]
    return controls.map { control in
      let action = control.form.value.flatMap { forms[$0].submission.action }
      let isBox = control.kind == .checkbox || control.kind == .radio
      var key = FormValues.ControlKey(
        action: action ?? "", name: control.name, kind: control.kind,
        value: isBox ? control.value : "")
      let count = counts[key, default: 0]
      counts[key] = count + 1
      key.ordinal = count
      return key
    }
  }
}
