import DOM

// A single, iterative walk over the tree, done only if the page shows a control. Hidden controls
// are submitted too, so visibility does not matter here.

/// Finds the forms of a tree and the controls that belong to them.
struct FormReader {
  private let tree: DOMTree
  private var forms = PageForms()
  /// The index in `controls` of each node that is a control.
  private var controlIndices: [Int32: Int32] = [:]
  /// The index and the node of the current form; nil outside forms.
  private var currentForm: (index: Int32, node: Int32)?
  /// The index in `forms` of each `form` element.
  private var formIndices: [Int32: Int32] = [:]
  /// A `form` element directly in a table, which the parser left empty: the following controls in
  /// the table belong to it.
  private var tableForm: (index: Int32, depth: Int)?
  /// The number of open `table` elements.
  private var tableDepth = 0
  /// The number of open `datalist` elements, whose options are only suggestions.
  private var listDepth = 0
  /// The open `datalist` whose options are read: its ID, and the index of its first option in
  /// `choices`; nil for none.
  private var currentSuggestions: (id: String, first: Int32)?
  /// The suggestions of each `datalist` as indices in `choices`, by the ID of the element.
  private var suggestionsByID: [String: Range<Int32>] = [:]
  /// The text fields with a `list` attribute, which may refer to a later `datalist`.
  private var controlsWithListID: [(control: Int, list: String)] = []
  /// The disabled `fieldset` ancestors, and whether the first `legend` of each was found.
  private var disabledFieldsets: [(node: Int32, hasLegend: Bool)] = []
  /// The number of `disabledFieldsets` that disable the controls at the current position.
  private var disablingFieldsetCount = 0
  /// The open `legend` elements whose controls are not disabled by their `fieldset`.
  private var legends: [Int32] = []
  /// The index of the current `select` in `controls`; nil outside of one.
  private var currentSelect: Int?
  /// The current `optgroup` of the `select`; without a label if there is none.
  private var currentOptionGroup: (label: String, isDisabled: Bool) = ("", false)
  /// The indices of the forms that have an `id`, by that ID.
  private var formIndicesByID: [String: Int32] = [:]
  /// The innermost open `label`: its text, and the index of its control; nil outside of one.
  private var currentLabel: (node: Int32, text: [UInt8], control: Int?)?
  /// The texts of labels with a `for` attribute, each with the ID to which the attribute refers.
  private var labelTexts: [(id: String, text: String)] = []
  /// The controls that have an `id`, by that ID.
  private var controlIDs: [String: Int] = [:]
  /// Controls with a `form` attribute, which may refer to a later form.
  private var controlsWithFormID: [(control: Int, form: String)] = []

  /// Reads the forms of a tree.
  /// - Parameter tree: The page.
  /// - Returns: The forms without spans, and the index in `controls` of each node that is a
  ///   control.
  static func read(_ tree: DOMTree) -> (forms: PageForms, indices: [Int32: Int32]) {
    var reader = FormReader(tree: tree)
    reader.walk()
    for (control, id) in reader.controlsWithFormID {
      reader.forms.controls[control].form = OptionalIndex(reader.formIndicesByID[id])
    }
    for (control, id) in reader.controlsWithListID {
      reader.forms.controls[control].choices = reader.suggestionsByID[id] ?? 0..<0
    }
    for (id, text) in reader.labelTexts {
      guard let control = reader.controlIDs[id] else { continue }
      if reader.forms.controls[control].labelElementText.isEmpty {
        reader.forms.controls[control].labelElementText = text
      }
    }
    reader.resolveRadioGroups()
    return (reader.forms, reader.controlIndices)
  }

  private init(tree: DOMTree) {
    self.tree = tree
  }

  private mutating func walk() {
    var node: Int32 = 0
    while true {
      let current = tree.nodes[Int(node)]
      if enter(node, current.name), let child = current.firstChild {
        node = child
        continue
      }
      leave(node, current.name)
      var sibling = current.nextSibling
      while sibling == nil {
        guard let parent = tree.nodes[Int(node)].parent else { return }
        node = parent
        leave(node, tree.nodes[Int(node)].name)
        sibling = tree.nodes[Int(node)].nextSibling
      }
      guard let sibling else { return }
      node = sibling
    }
  }

  /// Enters an element. Returns false if its children are to be skipped.
  private mutating func enter(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .template, .script, .style: return false
    case .form: addForm(node)
    case .table: tableDepth += 1
    case .datalist:
      listDepth += 1
      beginSuggestions(node)
    case .fieldset where tree.hasAttribute(.disabled, node):
      disabledFieldsets.append((node, false))
      disablingFieldsetCount += 1
    case .legend: enterLegend(node)
    case .input: addInput(node)
    // The button of a `select` only opens it.
    case .button where currentSelect == nil: addButton(node)
    case .textarea:
      addTextArea(node)
      return false
    case .select: addSelect(node)
    case .label: currentLabel = (node, [], nil)
    case .characters where currentLabel != nil && currentSelect == nil: addText(node)
    case .optgroup where currentSelect != nil:
      currentOptionGroup = (text(.label, of: node), tree.hasAttribute(.disabled, node))
    case .option where currentSelect != nil || currentSuggestions != nil: addChoice(node)
    default: break
    }
    return true
  }

  private mutating func leave(_ node: Int32, _ name: ElementName) {
    switch name {
    case .form where node == currentForm?.node: currentForm = nil
    case .table:
      if tableForm?.depth == tableDepth { tableForm = nil }
      tableDepth -= 1
    case .datalist:
      listDepth -= 1
      endSuggestions()
    case .fieldset where disabledFieldsets.last?.node == node:
      disabledFieldsets.removeLast()
      disablingFieldsetCount -= 1
    case .legend where legends.last == node:
      legends.removeLast()
      disablingFieldsetCount += 1
    case .select where currentSelect != nil: endSelect()
    case .label where node == currentLabel?.node: endLabel()
    case .optgroup: currentOptionGroup = ("", false)
    default: break
    }
  }

  /// Enters a `legend`. Controls in the first `legend` of a disabled `fieldset` are not disabled.
  private mutating func enterLegend(_ node: Int32) {
    guard let fieldset = disabledFieldsets.last, !fieldset.hasLegend,
      tree.nodes[Int(node)].parent == fieldset.node
    else { return }
    disabledFieldsets[disabledFieldsets.count - 1].hasLegend = true
    legends.append(node)
    disablingFieldsetCount -= 1
  }

  // MARK: Labels

  private mutating func addText(_ node: Int32) {
    let current = tree.nodes[Int(node)]
    guard let length = currentLabel?.text.count, length < 200 else { return }
    currentLabel?.text += tree.bytes[Int(current.start)..<Int(current.end)].prefix(400)
  }

  private mutating func endLabel() {
    guard let label = currentLabel else { return }
    // `prefix` may have cut a character.
    let text = SpecialText.collapsedLine(
      Array(String(decoding: label.text, as: UTF8.self).utf8)[...])
    if let id = tree.string(.labelTarget, of: label.node) {
      labelTexts.append((id, text))
    } else if let control = label.control, forms.controls[control].labelElementText.isEmpty {
      forms.controls[control].labelElementText = text
    }
    currentLabel = nil
  }

  // MARK: Forms

  private mutating func addForm(_ node: Int32) {
    let index = Int32(forms.forms.count)
    formIndices[node] = index
    forms.forms.append(
      PageForms.Form(
        submission: submissionAttributes(node, .action, .method, .enctype),
        acceptedCharsets: text(.acceptCharset, of: node),
        skipsValidation: tree.hasAttribute(.noValidate, node)))
    if let id = tree.string(.id, of: node), formIndicesByID[id] == nil {
      formIndicesByID[id] = index
    }
    if tree.nodes[Int(node)].firstChild == nil {
      if tableDepth > 0 { tableForm = (index, tableDepth) }
    } else {
      currentForm = (index, node)
      tableForm = nil
    }
  }

  private func submissionAttributes(
    _ node: Int32, _ action: AttributeName, _ method: AttributeName, _ encoding: AttributeName
  ) -> PageForms.SubmissionAttributes {
    PageForms.SubmissionAttributes(
      action: tree.attribute(action, of: node).map { text(action, of: node, at: $0) },
      method: tree.string(method, of: node).map { value in
        switch value.lowercased() {
        case "post": .post
        case "dialog": .dialog
        default: .get
        }
      },
      encoding: tree.string(encoding, of: node).map { value in
        switch value.lowercased() {
        case "multipart/form-data": .multipart
        case "text/plain": .plainText
        default: .urlEncoded
        }
      })
  }

  // MARK: Controls

  private mutating func addControl(_ control: PageForms.Control, _ node: Int32) {
    guard listDepth == 0 else { return }
    var control = control
    control.form = OptionalIndex(
      currentForm?.index ?? tableForm?.index ?? tree.formOwners[node].flatMap { formIndices[$0] })
    control.name = tree.string(.name, of: node) ?? ""
    control.isDisabled = disablingFieldsetCount > 0 || tree.hasAttribute(.disabled, node)
    control.isReadOnly = tree.hasAttribute(.readonly, node)
    control.columns = max(0, min(1000, tree.attributeInteger(.size, of: node) ?? 0))
    control.maxLength = tree.attributeInteger(.maxlength, of: node).flatMap { $0 >= 0 ? $0 : nil }
    control.minLength = tree.attributeInteger(.minLength, of: node)
    control.placeholder = text(.placeholder, of: node)
    if let name = tree.string(.directionName, of: node), !name.isEmpty {
      control.directionName = name
      control.isRightToLeft = isRightToLeft(node)
    }
    for name in [AttributeName.ariaLabel, .placeholder, .title]
    where control.accessibleLabel.isEmpty {
      control.accessibleLabel = text(name, of: node)
    }
    controlIndices[node] = Int32(forms.controls.count)
    if currentLabel?.control == nil { currentLabel?.control = forms.controls.count }
    if let id = tree.string(.id, of: node), controlIDs[id] == nil {
      controlIDs[id] = forms.controls.count
    }
    if let id = tree.string(.form, of: node) {
      controlsWithFormID.append((forms.controls.count, id))
    }
    if control.kind == .text, let id = tree.string(.suggestions, of: node) {
      controlsWithListID.append((forms.controls.count, id))
    }
    forms.controls.append(control)
  }

  /// Returns whether the text of a field is written from right to left; nil if its first letter
  /// decides.
  private func isRightToLeft(_ node: Int32) -> Bool? {
    var next: Int32? = node
    while let current = next {
      switch tree.string(.dir, of: current)?.lowercased() {
      case "rtl": return true
      case "ltr": return false
      case "auto" where current == node: return nil
      default: next = tree.nodes[Int(current)].parent
      }
    }
    return tree.direction.map(\.lowercased).elementsEqual("rtl".utf8)
  }

  private mutating func addInput(_ node: Int32) {
    let type = tree.string(.type, of: node)?.lowercased() ?? "text"
    let value = tree.string(.value, of: node)
    var control = PageForms.Control(kind: .text)
    control.value = value ?? ""
    switch type {
    case "password": control.kind = .password
    case "hidden": control.kind = .hidden
    case "checkbox", "radio":
      control.kind = type == "radio" ? .radio : .checkbox
      control.value = value ?? "on"
      control.isInitiallyChecked = tree.hasAttribute(.checked, node)
    case "file":
      control.kind = .file
      control.value = ""
    case "submit", "image":
      control.kind = .submit(isImage: type == "image")
      control.submission = submissionAttributes(node, .formAction, .formMethod, .formEnctype)
      if value == nil, type == "submit" { control.value = "Submit" }
    case "reset": control.kind = .reset
    case "button": control.kind = .scriptButton
    case "email": control.syntax = .email(isMultiple: tree.hasAttribute(.multiple, node))
    case "number":
      control.syntax = .number(
        from: tree.string(.min, of: node).flatMap { Double($0) },
        to: tree.string(.max, of: node).flatMap { Double($0) })
      control.step = step(of: node)
    case "url": control.syntax = .url
    case "color" where value == nil: control.value = "#000000"
    case "range" where Double(control.value) == nil: control.value = rangeMiddle(of: node)
    default:
      if let syntax = DateSyntax(rawValue: type) { readDate(syntax, of: node, into: &control) }
    }
    if control.isSingleLineText { control.value.removeAll { $0.isNewline } }
    if !["range", "color"].contains(type) { readConstraints(type, of: node, into: &control) }
    control.skipsValidation = control.isSubmit && tree.hasAttribute(.noValidate, node)
    addControl(control, node)
  }

  private func readConstraints(
    _ type: String, of node: Int32, into control: inout PageForms.Control
  ) {
    control.isRequired = tree.hasAttribute(.required, node)
    if control.isSingleLineText, Self.patternTypes.contains(type) || control.syntax == .any {
      control.pattern = tree.string(.pattern, of: node) ?? ""
      control.patternDescription = text(.title, of: node)
    }
  }

  private func readDate(
    _ syntax: DateSyntax, of node: Int32, into control: inout PageForms.Control
  ) {
    let bounds = [AttributeName.min, .max].map { name in
      tree.string(name, of: node).flatMap { syntax.accepts($0) ? $0 : nil }
    }
    control.syntax = .date(syntax, from: bounds[0], to: bounds[1])
    // HTML standard, "value sanitization algorithm".
    if !syntax.accepts(control.value) { control.value = "" }
  }

  /// Returns the step of a field for numbers (HTML standard, section 4.10.5.3.8): 1 by default,
  /// counted from the minimum, or else from the initial value.
  private func step(of node: Int32) -> PageForms.Control.Step? {
    let value = tree.string(.step, of: node)
    guard value?.lowercased() != "any" else { return nil }
    let size = value.flatMap { Double($0) }.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 1
    let bases = [AttributeName.min, .value].lazy.compactMap { name in
      tree.string(name, of: node).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
    return PageForms.Control.Step(size: size, base: bases.first ?? 0)
  }

  /// The types of fields besides plain texts to which `pattern` applies.
  private static let patternTypes: Set<String> = ["email", "url", "password", "search", "tel"]

  /// Returns the default value of a range control: the middle, rounded to a step, upwards if two
  /// are equally near (HTML standard, section 4.10.5.1.13).
  private func rangeMiddle(of node: Int32) -> String {
    func number(_ name: AttributeName) -> Double? {
      tree.string(name, of: node).flatMap { Double($0) }.flatMap { abs($0) < 1e9 ? $0 : nil }
    }
    let minimum = number(.min) ?? 0
    let maximum = number(.max) ?? 100
    guard maximum > minimum else { return Self.decimalText(minimum) }
    let halfRange = (maximum - minimum) / 2
    if tree.string(.step, of: node)?.lowercased() == "any" {
      return Self.decimalText(minimum + halfRange)
    }
    let step = number(.step).flatMap { $0 >= 1e-6 ? $0 : nil } ?? 1
    let stepCount = (halfRange / step + 0.5).rounded(.down)
    return Self.decimalText(
      minimum + min(stepCount, ((maximum - minimum) / step).rounded(.down)) * step)
  }

  /// Formats a number with at most six decimal places.
  private static func decimalText(_ number: Double) -> String {
    let rounded = (number * 1e6).rounded() / 1e6
    return Int(exactly: rounded).map(String.init) ?? String(rounded)
  }

  private mutating func addButton(_ node: Int32) {
    var control = PageForms.Control(kind: .submit(isImage: false))
    switch tree.string(.type, of: node)?.lowercased() {
    case "reset": control.kind = .reset
    case "button": control.kind = .scriptButton
    default: control.submission = submissionAttributes(node, .formAction, .formMethod, .formEnctype)
    }
    control.value = tree.string(.value, of: node) ?? ""
    control.skipsValidation = tree.hasAttribute(.noValidate, node)
    addControl(control, node)
  }

  private mutating func addTextArea(_ node: Int32) {
    var bytes = rawText(below: node)
    // A line break directly after the start tag does not count.
    if bytes.first == 0x0D { bytes.removeFirst() }
    if bytes.first == 0x0A { bytes.removeFirst() }
    var control = PageForms.Control(kind: .textArea)
    control.value = String(decoding: bytes, as: UTF8.self).withLFLineEndings
    control.isRequired = tree.hasAttribute(.required, node)
    addControl(control, node)
  }

  private func rawText(below node: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = tree.nodeAfter(node, in: node)
    while let descendant = next {
      let current = tree.nodes[Int(descendant)]
      if current.name == .characters {
        bytes.append(contentsOf: tree.bytes[Int(current.start)..<Int(current.end)])
      }
      // Without the choices in an `option` that lacks an end tag.
      next =
        current.name == .option
        ? tree.nodeAfterSubtree(descendant, in: node) : tree.nodeAfter(descendant, in: node)
    }
    return bytes
  }

  // MARK: Choices

  private mutating func addSelect(_ node: Int32) {
    guard currentSelect == nil, listDepth == 0 else { return }
    var control = PageForms.Control(kind: .select(isMultiple: tree.hasAttribute(.multiple, node)))
    let first = Int32(forms.choices.count)
    control.choices = first..<first
    control.isRequired = tree.hasAttribute(.required, node)
    addControl(control, node)
    currentSelect = forms.controls.count - 1
  }

  private mutating func beginSuggestions(_ datalist: Int32) {
    guard listDepth == 1, let id = tree.string(.id, of: datalist), suggestionsByID[id] == nil else {
      return
    }
    currentSuggestions = (id, Int32(forms.choices.count))
  }

  private mutating func endSuggestions() {
    guard listDepth == 0, let (id, first) = currentSuggestions else { return }
    suggestionsByID[id] = first..<Int32(forms.choices.count)
    currentSuggestions = nil
  }

  private mutating func addChoice(_ node: Int32) {
    let content = SpecialText.collapsedLine(rawText(below: node)[...])
    let label = text(.label, of: node)
    forms.choices.append(
      PageForms.Choice(
        label: label.isEmpty ? content : label, value: tree.string(.value, of: node) ?? content,
        group: currentOptionGroup.label, isInitiallySelected: tree.hasAttribute(.selected, node),
        isDisabled: currentOptionGroup.isDisabled || tree.hasAttribute(.disabled, node)))
  }

  /// Selects one choice of a single-choice `select`: the last one with `selected`, or else the
  /// first enabled one if it is a drop-down list (HTML standard, section 4.10.7, "selectedness
  /// setting algorithm").
  private mutating func endSelect() {
    guard let control = currentSelect else { return }
    currentSelect = nil
    let range = forms.controls[control].choices.lowerBound..<Int32(forms.choices.count)
    forms.controls[control].choices = range
    guard forms.controls[control].kind == .select(isMultiple: false) else { return }
    var selected = range.last { forms.choices[Int($0)].isInitiallySelected }
    if selected == nil, forms.controls[control].columns <= 1 {
      selected = range.first { !forms.choices[Int($0)].isDisabled }
    }
    for index in range { forms.choices[Int(index)].isInitiallySelected = index == selected }
  }

  /// Leaves only the last checked radio button of each group checked.
  private mutating func resolveRadioGroups() {
    struct Group: Hashable {
      var form: OptionalIndex
      var name: String
    }
    var checked: [Group: Int] = [:]
    for index in forms.controls.indices {
      let control = forms.controls[index]
      guard control.kind == .radio, control.isInitiallyChecked, !control.name.isEmpty else {
        continue
      }
      if let before = checked.updateValue(
        index, forKey: Group(form: control.form, name: control.name))
      {
        forms.controls[before].isInitiallyChecked = false
      }
    }
  }

  // MARK: Attributes

  private func text(_ name: AttributeName, of node: Int32, at range: Range<Int>? = nil) -> String {
    guard let range = range ?? tree.attribute(name, of: node) else { return "" }
    return SpecialText.collapsedLine(tree.bytes[range])
  }
}

extension String {
  /// The string with LF line endings.
  package var withLFLineEndings: String {
    guard utf8.contains(0x0D) else { return self }
    var result: [UInt8] = []
    var last: UInt8 = 0
    for byte in utf8 {
      if byte == 0x0D {
        result.append(0x0A)
      } else if byte != 0x0A || last != 0x0D {
        result.append(byte)
      }
      last = byte
    }
    return String(decoding: result, as: UTF8.self)
  }
}
