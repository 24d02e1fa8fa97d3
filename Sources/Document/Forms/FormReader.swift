import DOM

// A single, iterative walk over the tree, done only if the page shows a control. Hidden controls
// are submitted too, so visibility does not matter here.

/// Finds the forms of a tree and the controls that belong to them.
struct FormReader {
  private let tree: DOMTree
  private var found = PageForms()
  /// The index in `controls` of each node that is a control.
  private var indices: [Int32: Int32] = [:]
  /// The current form: its index and node.
  private var form: (index: Int32, node: Int32) = (-1, -1)
  /// A `form` element directly in a table, which the parser left empty: the following controls in
  /// the table belong to it.
  private var tableForm: (index: Int32, depth: Int) = (-1, 0)
  private var tableDepth = 0
  private var listDepth = 0
  /// The disabled `fieldset` ancestors, and whether the first `legend` of each was found.
  private var fieldsets: [(node: Int32, hasLegend: Bool)] = []
  /// The number of `fieldsets` that disable the controls at the current position.
  private var disabling = 0
  private var legends: [Int32] = []
  /// The current `select`, and its current `optgroup`.
  private var select: Int32 = -1
  private var group: (label: String, isDisabled: Bool) = ("", false)
  private var ids: [String: Int32] = [:]
  /// The innermost open `label`: its text, and the index of its control.
  private var label: (node: Int32, words: [UInt8], control: Int?) = (-1, [], nil)
  /// Texts of labels with a `for` attribute, and the controls that have an `id`.
  private var captions: [(id: String, words: String)] = []
  private var controlIDs: [String: Int] = [:]
  /// Controls with a `form` attribute, which may refer to a later form.
  private var named: [(control: Int, form: String)] = []

  /// Reads the forms of a tree.
  /// - Parameter tree: The page.
  /// - Returns: The forms without spans, and the index in `controls` of each node that is a
  ///   control.
  static func read(_ tree: DOMTree) -> (forms: PageForms, indices: [Int32: Int32]) {
    var reader = FormReader(tree: tree)
    reader.walk()
    for (control, id) in reader.named {
      reader.found.controls[control].form = reader.ids[id] ?? -1
    }
    for (id, words) in reader.captions {
      guard let control = reader.controlIDs[id] else { continue }
      if reader.found.controls[control].caption.isEmpty {
        reader.found.controls[control].caption = words
      }
    }
    reader.resolveRadioGroups()
    return (reader.found, reader.indices)
  }

  private init(tree: DOMTree) {
    self.tree = tree
  }

  private mutating func walk() {
    var node: Int32 = 0
    while true {
      let current = tree.nodes[Int(node)]
      if enter(node, current.name), current.firstChild >= 0 {
        node = current.firstChild
        continue
      }
      leave(node, current.name)
      while tree.nodes[Int(node)].nextSibling < 0 {
        node = tree.nodes[Int(node)].parent
        guard node >= 0 else { return }
        leave(node, tree.nodes[Int(node)].name)
      }
      node = tree.nodes[Int(node)].nextSibling
    }
  }

  /// Enters an element. Returns false if its children are to be skipped.
  private mutating func enter(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .template, .script, .style: return false
    case .form: addForm(node)
    case .table: tableDepth += 1
    case .datalist: listDepth += 1
    case .fieldset where tree.has(.disabled, node):
      fieldsets.append((node, false))
      disabling += 1
    case .legend: enterLegend(node)
    case .input: addInput(node)
    case .button: addButton(node)
    case .textarea:
      addTextArea(node)
      return false
    case .select: addSelect(node)
    case .label: label = (node, [], nil)
    case .characters where label.node >= 0 && select < 0: addText(node)
    case .optgroup where select >= 0:
      group = (text(.label, of: node), tree.has(.disabled, node))
    case .option where select >= 0: addChoice(node)
    default: break
    }
    return true
  }

  private mutating func leave(_ node: Int32, _ name: ElementName) {
    switch name {
    case .form where node == form.node: form = (-1, -1)
    case .table:
      if tableForm.depth == tableDepth { tableForm = (-1, 0) }
      tableDepth -= 1
    case .datalist: listDepth -= 1
    case .fieldset where fieldsets.last?.node == node:
      fieldsets.removeLast()
      disabling -= 1
    case .legend where legends.last == node:
      legends.removeLast()
      disabling += 1
    case .select where select >= 0: endSelect()
    case .label where node == label.node: endLabel()
    case .optgroup: group = ("", false)
    default: break
    }
  }

  /// Enters a `legend`. Controls in the first `legend` of a disabled `fieldset` are not disabled.
  private mutating func enterLegend(_ node: Int32) {
    guard let fieldset = fieldsets.last, !fieldset.hasLegend,
      tree.nodes[Int(node)].parent == fieldset.node
    else { return }
    fieldsets[fieldsets.count - 1].hasLegend = true
    legends.append(node)
    disabling -= 1
  }

  // MARK: Labels

  private mutating func addText(_ node: Int32) {
    let current = tree.nodes[Int(node)]
    guard label.words.count < 200 else { return }
    label.words += tree.bytes[Int(current.start)..<Int(current.end)].prefix(400)
  }

  private mutating func endLabel() {
    // `prefix` may have cut a character.
    let text = SpecialText.line(Array(String(decoding: label.words, as: UTF8.self).utf8)[...])
    if let id = tree.string(.labelled, of: label.node) {
      captions.append((id, text))
    } else if let control = label.control, found.controls[control].caption.isEmpty {
      found.controls[control].caption = text
    }
    label = (-1, [], nil)
  }

  // MARK: Forms

  private mutating func addForm(_ node: Int32) {
    let index = Int32(found.forms.count)
    found.forms.append(
      PageForms.Form(
        submission: submission(node, .action, .method, .enctype),
        charsets: text(.acceptCharset, of: node), skipsValidation: tree.has(.unchecked, node)))
    if let id = tree.string(.id, of: node), ids[id] == nil { ids[id] = index }
    if tree.nodes[Int(node)].firstChild < 0 {
      if tableDepth > 0 { tableForm = (index, tableDepth) }
    } else {
      form = (index, node)
      tableForm = (-1, 0)
    }
  }

  private func submission(
    _ node: Int32, _ action: AttributeName, _ method: AttributeName, _ encoding: AttributeName
  ) -> PageForms.Submission {
    PageForms.Submission(
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

  private mutating func add(_ control: PageForms.Control, _ node: Int32) {
    guard listDepth == 0 else { return }
    var control = control
    control.form = form.index >= 0 ? form.index : tableForm.index
    control.name = tree.string(.name, of: node) ?? ""
    control.isDisabled = disabling > 0 || tree.has(.disabled, node)
    control.isReadOnly = tree.has(.readonly, node)
    control.columns = max(0, min(1000, tree.number(.size, of: node) ?? 0))
    control.maxLength = tree.number(.maxlength, of: node).flatMap { $0 >= 0 ? $0 : nil }
    control.placeholder = text(.placeholder, of: node)
    if let name = tree.string(.directionName, of: node), !name.isEmpty {
      control.directionName = name
      control.isRightToLeft = isRightToLeft(node)
    }
    for name in [AttributeName.ariaLabel, .placeholder, .title] where control.label.isEmpty {
      control.label = text(name, of: node)
    }
    indices[node] = Int32(found.controls.count)
    if label.node >= 0, label.control == nil { label.control = found.controls.count }
    if let id = tree.string(.id, of: node), controlIDs[id] == nil {
      controlIDs[id] = found.controls.count
    }
    if let id = tree.string(.form, of: node) { named.append((found.controls.count, id)) }
    found.controls.append(control)
  }

  /// Returns whether the text of a field is written from right to left; nil if its first letter
  /// decides.
  private func isRightToLeft(_ node: Int32) -> Bool? {
    var next = node
    while next >= 0 {
      switch tree.string(.dir, of: next)?.lowercased() {
      case "rtl": return true
      case "ltr": return false
      case "auto" where next == node: return nil
      default: next = tree.nodes[Int(next)].parent
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
      control.isChecked = tree.has(.checked, node)
    case "file":
      control.kind = .file
      control.value = ""
    case "submit", "image":
      control.kind = .submit(isImage: type == "image")
      control.submission = submission(node, .formAction, .formMethod, .formEnctype)
      if value == nil, type == "submit" { control.value = "Submit" }
    case "reset": control.kind = .reset
    case "button": control.kind = .button
    case "email": control.syntax = .email(isMultiple: tree.has(.multiple, node))
    case "number":
      control.syntax = .number(
        from: tree.string(.min, of: node).flatMap { Double($0) },
        to: tree.string(.max, of: node).flatMap { Double($0) })
    case "color" where value == nil: control.value = "#000000"
    case "range" where Double(control.value) == nil: control.value = middle(of: node)
    default:
      if let syntax = DateSyntax(rawValue: type) {
        control.syntax = .date(syntax)
        // HTML standard, "value sanitization algorithm".
        if !syntax.accepts(control.value) { control.value = "" }
      }
    }
    if control.isLine { control.value.removeAll { $0.isNewline } }
    if !["range", "color"].contains(type) { control.isRequired = tree.has(.required, node) }
    control.skipsValidation = control.isSubmit && tree.has(.unchecked, node)
    add(control, node)
  }

  /// Returns the default value of a range control: the middle, rounded up, since steps are assumed
  /// to be whole numbers (HTML standard, section 4.10.5.1.13).
  private func middle(of node: Int32) -> String {
    let low = tree.number(.min, of: node) ?? 0
    let high = tree.number(.max, of: node) ?? 100
    return String(high > low ? low + (high - low + 1) / 2 : low)
  }

  private mutating func addButton(_ node: Int32) {
    var control = PageForms.Control(kind: .submit(isImage: false))
    switch tree.string(.type, of: node)?.lowercased() {
    case "reset": control.kind = .reset
    case "button": control.kind = .button
    default: control.submission = submission(node, .formAction, .formMethod, .formEnctype)
    }
    control.value = tree.string(.value, of: node) ?? ""
    control.skipsValidation = tree.has(.unchecked, node)
    add(control, node)
  }

  private mutating func addTextArea(_ node: Int32) {
    var bytes = rawText(below: node)
    // A line break directly after the start tag does not count.
    if bytes.first == 0x0D { bytes.removeFirst() }
    if bytes.first == 0x0A { bytes.removeFirst() }
    var control = PageForms.Control(kind: .area)
    control.value = String(decoding: bytes, as: UTF8.self).withUnixLines
    control.isRequired = tree.has(.required, node)
    add(control, node)
  }

  private func rawText(below node: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = tree.next(node, in: node)
    while next >= 0 {
      let current = tree.nodes[Int(next)]
      if current.name == .characters {
        bytes.append(contentsOf: tree.bytes[Int(current.start)..<Int(current.end)])
      }
      next = tree.next(next, in: node)
    }
    return bytes
  }

  // MARK: Choices

  private mutating func addSelect(_ node: Int32) {
    guard select < 0, listDepth == 0 else { return }
    var control = PageForms.Control(kind: .select(isMultiple: tree.has(.multiple, node)))
    let first = Int32(found.choices.count)
    control.choices = first..<first
    control.isRequired = tree.has(.required, node)
    add(control, node)
    select = Int32(found.controls.count) - 1
  }

  private mutating func addChoice(_ node: Int32) {
    let content = SpecialText.line(rawText(below: node)[...])
    let label = text(.label, of: node)
    found.choices.append(
      PageForms.Choice(
        label: label.isEmpty ? content : label, value: tree.string(.value, of: node) ?? content,
        group: group.label, isSelected: tree.has(.selected, node),
        isDisabled: group.isDisabled || tree.has(.disabled, node)))
  }

  /// Selects one choice of a single-choice `select`: the last one with `selected`, or else the
  /// first enabled one if it is a drop-down list (HTML standard, section 4.10.7, "selectedness
  /// setting algorithm").
  private mutating func endSelect() {
    let control = Int(select)
    select = -1
    let range = found.controls[control].choices.lowerBound..<Int32(found.choices.count)
    found.controls[control].choices = range
    guard found.controls[control].kind == .select(isMultiple: false) else { return }
    var taken = range.last { found.choices[Int($0)].isSelected }
    if taken == nil, found.controls[control].columns <= 1 {
      taken = range.first { !found.choices[Int($0)].isDisabled }
    }
    for index in range { found.choices[Int(index)].isSelected = index == taken }
  }

  /// Leaves only the last checked radio button of each group checked.
  private mutating func resolveRadioGroups() {
    struct Group: Hashable {
      var form: Int32
      var name: String
    }
    var checked: [Group: Int] = [:]
    for index in found.controls.indices {
      let control = found.controls[index]
      guard control.kind == .radio, control.isChecked, !control.name.isEmpty else { continue }
      if let before = checked.updateValue(
        index, forKey: Group(form: control.form, name: control.name))
      {
        found.controls[before].isChecked = false
      }
    }
  }

  // MARK: Attributes

  private func text(_ name: AttributeName, of node: Int32, at range: Range<Int>? = nil) -> String {
    guard let range = range ?? tree.attribute(name, of: node) else { return "" }
    return SpecialText.line(tree.bytes[range])
  }
}

extension String {
  /// The string with LF line endings.
  package var withUnixLines: String {
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
