import DOM

extension DocumentBuilder {
  /// Adds a form control as text. Returns false if its children are to be skipped.
  mutating func enterControl(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .input where tree.isNoteToggle(node) || tree.isTabSwitch(node): break
    case .input: addInput(node)
    case .select: addSelect(node)
    case .textarea where tree.isCode(textArea: node):
      beginPreformatted(node)
      return true
    case .textarea: addTextArea(node)
    case .meter, .progress: addMeterBar(node, name)
    // A button in code, such as one that copies it, is not a part of the code.
    case .button
    where inherited.leafKind == .preformatted && !tree.isInForm(node)
      && !tree.hasAttribute(.form, node):
      return false
    case .button:
      leaf.addSpace()
      guard !tree.nodes[Int(node)].contents.contains(.block) else { return true }
      if tree.nodes[Int(node)].contents.isDisjoint(with: [.text, .image]) {
        if let label = buttonLabel(node) { addControl("[\(label)]", node) }
        return false
      }
      guard !enlargesFigure(node) else { return true }
      inherited.style.insert(.control)
      guard tree.nodes[Int(node)].contents.contains(.text) else { return true }
      addSafeText("[")
      leaf.forbidSpace()
      return true
    default: break
    }
    return false
  }

  /// Returns the label of a button without text: its name, or "Submit" for a submit button after
  /// another control of its form; nil if it has no label, or no function without scripts.
  func buttonLabel(_ node: Int32) -> String? {
    guard !tree.value(.type, of: node, contains: "button"),
      tree.isInForm(node) || tree.hasAttribute(.form, node)
    else { return nil }
    return tree.firstText([.ariaLabel, .title], of: node) ?? iconName(below: node)
      ?? tree.firstText([.value], of: node) ?? (controls.completesForm(node) ? "Submit" : nil)
  }

  mutating func endButton(_ frame: ElementState) {
    let contents = tree.nodes[Int(frame.node)].contents
    if contents.contains(.text), !contents.contains(.block), !enlargesFigure(frame.node) {
      leaf.dropPendingSpace()
      if !endEmptyButton(frame.node) { addSafeText("]") }
    }
    if leaf.textEnd == frame.textStart, let label = buttonLabel(frame.node) {
      addControl("[\(label)]", frame.node)
    } else {
      recordControlSpan(of: frame.node, from: frame.textStart)
    }
    leaf.addSpace()
  }

  /// Appends a control as text.
  private mutating func addControl(_ text: String, _ node: Int32) {
    guard !text.isEmpty else { return }
    addSeparatedText(text, style: .control)
    recordControlSpan(of: node, from: leaf.textEnd - text.utf8.count)
  }

  /// Records the position of a control.
  private mutating func recordControlSpan(of node: Int32, from start: Int) {
    var start = start
    // The space before a control does not belong to it.
    while start < leaf.textEnd, [0x20, 0x0A].contains(leaf.text[start]) { start += 1 }
    guard start < leaf.textEnd else { return }
    if !controls.hasForms { controls.readForms(of: wholePage ?? tree) }
    controls.record(node, in: start..<leaf.textEnd, linkCount: document.links.count)
  }

  private mutating func addInput(_ node: Int32) {
    guard let text = shownText(ofInput: node) else { return }
    let name = unshownName(ofBox: node)
    addControl(text, node)
    if let name { addSeparatedText(name) }
  }

  /// Returns the name of a checkbox or radio button that no text beside it shows: its label for
  /// screen readers, or that of the `label` element around it.
  private mutating func unshownName(ofBox node: Int32) -> String? {
    guard
      tree.value(.type, of: node, contains: "checkbox")
        || tree.value(.type, of: node, contains: "radio"),
      !tree.precedesText(node)
    else { return nil }
    if !controls.hasForms { controls.readForms(of: wholePage ?? tree) }
    guard !controls.hasLabelElementText(node) else { return nil }
    var name = tree.firstText([.ariaLabel, .title], of: node)
    var next = tree.nodes[Int(node)].parent
    for _ in 0..<Self.maxWrappersInLabel {
      guard let outer = next, name == nil else { break }
      if tree.nodes[Int(outer)].name == .label {
        name = tree.firstText([.ariaLabel, .title], of: outer)
      }
      next = tree.nodes[Int(outer)].parent
    }
    return name.flatMap { isRepeated($0, beside: node) ? nil : $0 }
  }

  private static let maxWrappersInLabel = 3

  /// Returns the text that represents an input; nil if the input is hidden, or a script button
  /// without a value.
  private func shownText(ofInput node: Int32) -> String? {
    let type = (tree.string(.type, of: node) ?? "text").lowercased()
    let value = tree.cleanedText(.value, of: node) ?? ""
    switch type {
    case "hidden": return nil
    case "checkbox": return tree.hasAttribute(.checked, node) ? "[x]" : "[ ]"
    case "radio": return tree.hasAttribute(.checked, node) ? "(*)" : "( )"
    case "submit": return "[\(value.isEmpty ? "Submit" : value)]"
    case "reset": return "[\(value.isEmpty ? "Reset" : value)]"
    case "button": return value.isEmpty ? nil : "[\(value)]"
    case "image":
      return "[\(tree.firstText([.alt, .value, .title, .ariaLabel], of: node) ?? "Submit")]"
    case "file": return Self.emptyFieldText
    case "password": return value.isEmpty ? Self.emptyFieldText : "[********]"
    case "range":
      let (low, high) = (
        tree.decimalValue(.min, of: node) ?? 0, tree.decimalValue(.max, of: node) ?? 100
      )
      return barText(
        value: Double(value) ?? (low + max(low, high)) / 2, minimum: low, maximum: high)
    default:
      if isTrap(node) { return nil }
      let isEmpty = value.isEmpty || DateSyntax(rawValue: type)?.accepts(value) == false
      return isEmpty ? tree.emptyFieldText(node) : "[\(value)]"
    }
  }

  /// Whether a field of a form is a trap for programs that fill in all fields: it is outside the
  /// screen, or hidden from screen readers, and other fields are not. It is sent with the form as
  /// it is.
  private func isTrap(_ field: Int32) -> Bool {
    guard let form = tree.form(around: field), let part = concealedPart(around: field, in: form)
    else { return false }
    // Scripts show the only field of a search, and parts with several fields, such as the next step
    // of the form.
    return !tree.hasField(below: part, except: field) && tree.hasField(below: form, except: part)
  }

  /// Whether a label is in the same part of a form as a trap.
  func isLabelOfTrap(_ label: Int32) -> Bool {
    guard let form = tree.form(around: label), let part = concealedPart(around: label, in: form),
      let field = tree.firstField(below: part)
    else { return false }
    switch tree.nodes[Int(field)].name {
    case .input: return shownText(ofInput: field) == nil
    case .textarea: return isTrap(field)
    default: return false
    }
  }

  /// Returns the innermost part of a form around a node that is outside the screen or hidden from
  /// screen readers; nil without one.
  private func concealedPart(around node: Int32, in form: Int32) -> Int32? {
    var part = node
    for _ in 0...Self.maxTrapWrappers where part != form {
      if tree.value(.ariaHidden, of: part, contains: "true")
        || hiding.movesOffScreen(part, of: tree)
      {
        return part
      }
      guard let parent = tree.nodes[Int(part)].parent else { break }
      part = parent
    }
    return nil
  }

  private static let maxTrapWrappers = 3

  /// Adds a `select`, represented by its selected choices only: those that `FormReader` selects.
  private mutating func addSelect(_ node: Int32) {
    let isMultiple = tree.hasAttribute(.multiple, node)
    var first: Int32?
    var firstEnabled: Int32?
    var chosen: [Int32] = []
    var next = tree.nodeAfter(node, in: node)
    while let current = next {
      if tree.nodes[Int(current)].name == .option {
        if first == nil { first = current }
        if firstEnabled == nil, !tree.isDisabledOption(current) { firstEnabled = current }
        if tree.hasAttribute(.selected, current), chosen.count < 100 {
          if isMultiple { chosen.append(current) } else { chosen = [current] }
        }
      }
      next = tree.nodeAfter(current, in: node)
    }
    let isList = isMultiple || (tree.attributeInteger(.size, of: node) ?? 1) > 1
    if chosen.isEmpty, let firstEnabled, !isList { chosen = [firstEnabled] }
    let text = chosen.map { tree.optionText($0) }.joined(separator: ", ")
    if text.isEmpty {
      // Choices are not part of the text, but the control must be visible.
      if first != nil { addControl("[\u{A0}▾]", node) }
    } else {
      addControl("[\(text) ▾]", node)
    }
  }

  /// An empty field: ten no-break spaces in brackets.
  fileprivate static let emptyFieldText = "[" + String(repeating: "\u{A0}", count: 10) + "]"

  private mutating func addTextArea(_ node: Int32) {
    guard !isTrap(node) else { return }
    let text = tree.cleanedText(below: node, maxLength: 1 << 24)
    addControl(text.isEmpty ? tree.emptyFieldText(node) : "[\(text)]", node)
  }

  private mutating func addMeterBar(_ node: Int32, _ name: ElementName) {
    guard let value = tree.decimalValue(.value, of: node) else {
      let text = tree.cleanedText(below: node)
      if !text.isEmpty { addSeparatedText(text, style: .control) }
      return
    }
    let low = name == .meter ? tree.decimalValue(.min, of: node) ?? 0 : 0
    let high = tree.decimalValue(.max, of: node) ?? 1
    let shown = barText(
      value: value, minimum: low, maximum: name == .progress && high <= 0 ? 1 : high)
    addSeparatedText(shown, style: .control)
  }

  /// Returns a bar such as `▓▓▓▓▓▓░░░░ 60%`.
  private func barText(value: Double, minimum: Double, maximum: Double) -> String {
    let share = maximum > minimum ? max(0, min(1, (value - minimum) / (maximum - minimum))) : 0
    let filled = Int((share * 10).rounded())
    return String(repeating: "▓", count: filled) + String(repeating: "░", count: 10 - filled)
      + " \(Int((share * 100).rounded()))%"
  }
}

extension DOMTree {
  /// Returns whether a radio button selects the tab to be shown in pages of MkDocs. All tabs are
  /// shown.
  fileprivate func isTabSwitch(_ node: Int32) -> Bool {
    guard let parent = nodes[Int(node)].parent else { return false }
    return value(.type, of: node, contains: "radio")
      && value(.class, of: parent, contains: "tabbed-set")
  }

  /// Returns whether a text area is code to be read and copied: it is not editable and has several
  /// lines.
  fileprivate func isCode(textArea node: Int32) -> Bool {
    guard hasAttribute(.readonly, node) || hasAttribute(.disabled, node),
      let child = nodes[Int(node)].firstChild
    else { return false }
    let text = nodes[Int(child)]
    guard text.name == .characters else { return false }
    return bytes[Int(text.start)..<Int(text.end)].dropFirst().dropLast().contains(0x0A)
  }

  fileprivate func isInForm(_ node: Int32) -> Bool { form(around: node) != nil }

  /// Returns the innermost form that contains a node; nil if the node is in no form.
  fileprivate func form(around node: Int32) -> Int32? {
    var next: Int32? = node
    while let node = next {
      if nodes[Int(node)].name == .form { return node }
      next = nodes[Int(node)].parent
    }
    return nil
  }

  /// Returns whether an element contains a field that the user fills in, outside a descendant that
  /// is not searched; true if it contains very many nodes.
  fileprivate func hasField(below root: Int32, except excluded: Int32) -> Bool {
    var next = nodeAfter(root, in: root)
    for _ in 0..<Self.maxNodesOfFields {
      if next == excluded { next = nodeAfterSubtree(excluded, in: root) }
      guard let node = next else { return false }
      if isField(node) { return true }
      next = nodeAfter(node, in: root)
    }
    return true
  }

  /// Returns the first field in an element; nil without one among its first nodes.
  fileprivate func firstField(below root: Int32) -> Int32? {
    var next = nodeAfter(root, in: root)
    for _ in 0..<Self.maxNodesOfFields {
      guard let node = next else { break }
      if isField(node) { return node }
      next = nodeAfter(node, in: root)
    }
    return nil
  }

  /// Whether an element is a field that the user fills in.
  private func isField(_ node: Int32) -> Bool {
    switch nodes[Int(node)].name {
    case .select, .textarea: return true
    case .input:
      let type = (string(.type, of: node) ?? "").lowercased()
      return !["hidden", "submit", "reset", "button", "image"].contains(type)
    default: return false
    }
  }

  private static let maxNodesOfFields = 1000

  /// Returns whether text or an image follows a control on its line, before the next control.
  fileprivate func precedesText(_ control: Int32) -> Bool {
    var next = nodeAfterSubtree(control, in: 0)
    for _ in 0..<Self.maxNodesBeforeText {
      guard let node = next else { break }
      let name = nodes[Int(node)].name
      switch name {
      case .characters: if !isBlank(node) { return true }
      case .img, .svg: return true
      case .br, .input, .select, .textarea, .button: return false
      default: if name.isBlock { return false }
      }
      next = nodeAfter(node, in: 0)
    }
    return false
  }

  fileprivate static let maxNodesBeforeText = 8

  /// Returns whether an `option` or the `optgroup` around it is disabled.
  fileprivate func isDisabledOption(_ option: Int32) -> Bool {
    if hasAttribute(.disabled, option) { return true }
    guard let group = nodes[Int(option)].parent else { return false }
    return nodes[Int(group)].name == .optgroup && hasAttribute(.disabled, group)
  }

  /// Returns the text for an empty field, with its placeholder in parentheses to distinguish it
  /// from a value.
  fileprivate func emptyFieldText(_ node: Int32) -> String {
    let hint = cleanedText(.placeholder, of: node) ?? ""
    guard !hint.isEmpty else { return DocumentBuilder.emptyFieldText }
    return hint.hasPrefix("(") && hint.hasSuffix(")") ? "[\(hint)]" : "[(\(hint))]"
  }

  fileprivate func optionText(_ node: Int32) -> String {
    let label = cleanedText(.label, of: node) ?? ""
    return label.isEmpty ? cleanedText(below: node) : label
  }

  fileprivate func decimalValue(_ name: AttributeName, of node: Int32) -> Double? {
    string(name, of: node).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
