/// What was filled into the forms of a page: what differs from what stood there at first.
package struct FormValues: Sendable, Equatable {
  /// The changes, by the index of the control.
  private var changes: [Int32: Change] = [:]
  /// What was filled in where this view or version of the page has no control; another one may.
  private var elsewhere: [Key: Change] = [:]
  /// Tells pages apart that were opened anew: what was filled into one is not in the other, though their
  /// address is the same.
  package private(set) var opening = 0

  package init() {}

  /// What a control has now.
  package enum Change: Sendable, Equatable {
    case text(String)
    case checked(Bool)
    /// The indices of the choices that are taken, counted from the control's first.
    case chosen(Set<Int32>)
  }

  /// Whether nothing was changed.
  package var isEmpty: Bool { changes.isEmpty && elsewhere.isEmpty }

  /// The text in a control.
  package func text(of control: Int32, in forms: PageForms) -> String {
    if case .text(let text)? = changes[control] { return text }
    return forms.controls[Int(control)].value
  }

  /// Whether a box is checked.
  package func isChecked(_ control: Int32, in forms: PageForms) -> Bool {
    if case .checked(let isChecked)? = changes[control] { return isChecked }
    return forms.controls[Int(control)].isChecked
  }

  /// The indices in `PageForms.choices` of what is taken of a select.
  package func chosen(of control: Int32, in forms: PageForms) -> [Int32] {
    let range = forms.controls[Int(control)].choices
    if case .chosen(let chosen)? = changes[control] {
      return range.filter { chosen.contains($0 - range.lowerBound) }
    }
    return range.filter { forms.choices[Int($0)].isSelected }
  }

  /// Puts a text into a control.
  package mutating func set(_ text: String, of control: Int32) {
    changes[control] = .text(text)
  }

  /// Checks a box or no longer; a radio button stays checked, and the others of its group are not.
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

  /// Takes a choice of a select; where several can be taken, it is taken back if it is.
  /// - Parameters:
  ///   - choice: its index in `PageForms.choices`.
  ///   - control: the select.
  ///   - forms: those of the page.
  package mutating func choose(_ choice: Int32, of control: Int32, in forms: PageForms) {
    let first = forms.controls[Int(control)].choices.lowerBound
    var chosen: Set<Int32> = []
    if forms.controls[Int(control)].kind == .select(isMultiple: true) {
      chosen = Set(self.chosen(of: control, in: forms).map { $0 - first })
    }
    chosen.formSymmetricDifference([choice - first])
    changes[control] = .chosen(chosen)
  }

  /// Makes a form what it was at first.
  package mutating func reset(_ form: Int32, in forms: PageForms) {
    for control in forms.controls(of: form) { changes[control] = nil }
  }

  // MARK: Other versions of the page

  /// What a control is called across versions and views of a page.
  package struct Key: Sendable, Hashable {
    fileprivate var action: String
    fileprivate var name: String
    fileprivate var kind: PageForms.Control.Kind
    fileprivate var value: String
    /// Counts those that agree in the rest.
    fileprivate var number = 0
  }

  /// What was filled in, to be found again in another version or view of the page.
  package struct Kept: Sendable, Equatable {
    fileprivate var changes: [Key: Change] = [:]
    /// See `FormValues.opening`.
    package let opening: Int

    /// Nothing was filled in yet.
    package init(opening: Int = 0) {
      self.opening = opening
    }

    /// Whether nothing was filled in.
    package var isEmpty: Bool { changes.isEmpty }
  }

  /// Takes down what was filled in.
  package func kept(of forms: PageForms) -> Kept {
    var kept = Kept(opening: opening)
    kept.changes = elsewhere
    guard !changes.isEmpty else { return kept }
    for (index, key) in zip(Int32(0)..., forms.keys) {
      if let change = changes[index] { kept.changes[key] = change }
    }
    return kept
  }

  /// Fills in what was taken down where it finds its controls, and keeps the rest.
  package init(_ kept: Kept, in forms: PageForms) {
    opening = kept.opening
    guard !kept.changes.isEmpty else { return }
    elsewhere = kept.changes
    for (index, key) in zip(Int32(0)..., forms.keys) {
      changes[index] = elsewhere.removeValue(forKey: key)
    }
  }
}

extension PageForms {
  /// A key for each control.
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
