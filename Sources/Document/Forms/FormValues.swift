/// The values that the user entered into the forms of a page, as differences from the initial
/// values.
package struct FormValues: Sendable, Equatable {
  /// The changes, by index of the control.
  private var changes: [Int32: Change] = [:]
  /// Changes to controls that this view or version of the page does not have, but another may have.
  private var unmatchedChanges: [Key: Change] = [:]
  /// The number of the page visit. Values are not shared between separate visits to the same URL.
  package private(set) var visitNumber = 0

  package init() {}

  /// The current state of a control.
  package enum Change: Sendable, Equatable {
    case text(String)
    case checked(Bool)
    /// The indices of the selected choices, relative to the control's first.
    case chosen(Set<Int32>)
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
    if case .checked(let isChecked)? = changes[control] { return isChecked }
    return forms.controls[Int(control)].isChecked
  }

  /// Returns the indices in `PageForms.choices` of the selected choices of a `select`.
  package func chosen(of control: Int32, in forms: PageForms) -> [Int32] {
    let range = forms.controls[Int(control)].choices
    if case .chosen(let chosen)? = changes[control] {
      return range.filter { chosen.contains($0 - range.lowerBound) }
    }
    return range.filter { forms.choices[Int($0)].isSelected }
  }

  /// Sets the text of a control.
  package mutating func set(_ text: String, of control: Int32) {
    changes[control] = .text(text)
  }

  /// Toggles a checkbox, or checks a radio button and unchecks the others of its group.
  package mutating func toggle(_ control: Int32, in forms: PageForms) {
    let toggled = forms.controls[Int(control)]
    guard toggled.kind == .radio else {
      changes[control] = .checked(!isChecked(control, in: forms))
      return
    }
    if !toggled.name.isEmpty {
      for (index, other) in zip(Int32(0)..., forms.controls)
      where other.kind == .radio && other.form == toggled.form && other.name == toggled.name {
        changes[index] = .checked(false)
      }
    }
    changes[control] = .checked(true)
  }

  /// Selects a choice of a `select`, or toggles it if several choices can be selected.
  /// - Parameters:
  ///   - choice: Index in `PageForms.choices`.
  ///   - control: Index of the `select`.
  ///   - forms: The forms of the page.
  package mutating func choose(_ choice: Int32, of control: Int32, in forms: PageForms) {
    let first = forms.controls[Int(control)].choices.lowerBound
    var chosen: Set<Int32> = []
    if forms.controls[Int(control)].kind == .select(isMultiple: true) {
      chosen = Set(self.chosen(of: control, in: forms).map { $0 - first })
    }
    chosen.formSymmetricDifference([choice - first])
    changes[control] = .chosen(chosen)
  }

  /// Resets a form to its initial state.
  package mutating func reset(_ form: Int32, in forms: PageForms) {
    for control in forms.controls(of: form) { changes[control] = nil }
  }

  // MARK: Other versions of the page

  /// An identification of a control that is the same in all versions and views of a page.
  package struct Key: Sendable, Hashable {
    fileprivate var action: String
    fileprivate var name: String
    fileprivate var kind: PageForms.Control.Kind
    fileprivate var value: String
    /// A number that distinguishes controls whose other properties are equal.
    fileprivate var number = 0
  }

  /// Entered values that can be applied to another version or view of the page, because each
  /// control is identified by a `Key`.
  package struct TransferableValues: Sendable, Equatable {
    fileprivate var changes: [Key: Change] = [:]
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
    var kept = TransferableValues(visitNumber: visitNumber)
    kept.changes = unmatchedChanges
    guard !changes.isEmpty else { return kept }
    for (index, key) in zip(Int32(0)..., forms.keys) {
      if let change = changes[index] { kept.changes[key] = change }
    }
    return kept
  }

  /// Applies the values whose controls exist in the forms, and keeps the others.
  package init(_ kept: TransferableValues, in forms: PageForms) {
    visitNumber = kept.visitNumber
    guard !kept.changes.isEmpty else { return }
    unmatchedChanges = kept.changes
    for (index, key) in zip(Int32(0)..., forms.keys) {
      changes[index] = unmatchedChanges.removeValue(forKey: key)
    }
  }
}

extension PageForms {
  /// The key of each control.
  fileprivate var keys: [FormValues.Key] {
    var counts: [FormValues.Key: Int] = [:]
    return controls.map { control in
      let action = control.form < 0 ? nil : forms[Int(control.form)].submission.action
      let isBox = control.kind == .checkbox || control.kind == .radio
      var key = FormValues.Key(
        action: action ?? "", name: control.name, kind: control.kind,
        value: isBox ? control.value : "")
      let count = counts[key, default: 0]
      counts[key] = count + 1
      key.number = count
      return key
    }
  }
}
