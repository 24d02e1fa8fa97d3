import DOM

extension DocumentBuilder {
  /// Adds a form control as text. Returns false if its children are to be skipped.
  mutating func enterControl(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .input where tree.isNoteToggle(node) || isTabSwitch(node): break
    case .input: addInput(node)
    case .select: addSelect(node)
    case .textarea where isCode(textArea: node):
      beginPreformatted(node)
      return true
    case .textarea: addTextArea(node)
    case .meter, .progress: addMeterBar(node, name)
    // A button in code, such as one that copies it, is not a part of the code.
    case .button
    where inherited.leafKind == .preformatted && !isInForm(node)
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

  /// Returns whether a radio button selects the tab to be shown in pages of MkDocs. All tabs are
  /// shown.
  private func isTabSwitch(_ node: Int32) -> Bool {
    let parent = tree.nodes[Int(node)].parent
    return parent >= 0 && tree.value(.type, of: node, contains: "radio")
      && tree.value(.class, of: parent, contains: "tabbed-set")
  }

  /// Returns whether a text area is code to be read and copied: it is not editable and has several
  /// lines.
  private func isCode(textArea node: Int32) -> Bool {
    guard tree.hasAttribute(.readonly, node) || tree.hasAttribute(.disabled, node),
      case let child = tree.nodes[Int(node)].firstChild, child >= 0
    else { return false }
    let text = tree.nodes[Int(child)]
    guard text.name == .characters else { return false }
    return tree.bytes[Int(text.start)..<Int(text.end)].dropFirst().dropLast().contains(0x0A)
  }

  /// Returns the label of a button without text: its name, or "Submit" for a submit button after
  /// another control of its form; nil if it has no label, or no function without scripts.
  func buttonLabel(_ node: Int32) -> String? {
    guard !tree.value(.type, of: node, contains: "button"),
      isInForm(node) || tree.hasAttribute(.form, node)
    else { return nil }
    return firstText([.ariaLabel, .title], of: node) ?? iconName(below: node)
      ?? firstText([.value], of: node) ?? (controls.completesForm(node) ? "Submit" : nil)
  }

  private func isInForm(_ node: Int32) -> Bool {
    var node = node
    while node >= 0 {
      if tree.nodes[Int(node)].name == .form { return true }
      node = tree.nodes[Int(node)].parent
    }
    return false
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
      !precedesText(node)
    else { return nil }
    if !controls.hasForms { controls.readForms(of: wholePage ?? tree) }
    guard !controls.hasLabelElementText(node) else { return nil }
    var name = firstText([.ariaLabel, .title], of: node)
    var outer = tree.nodes[Int(node)].parent
    for _ in 0..<Self.maxWrappersInLabel where name == nil && outer >= 0 {
      if tree.nodes[Int(outer)].name == .label {
        name = firstText([.ariaLabel, .title], of: outer)
      }
      outer = tree.nodes[Int(outer)].parent
    }
    return name.flatMap { isRepeated($0, beside: node) ? nil : $0 }
  }

  private static let maxWrappersInLabel = 3

  /// Returns whether text or an image follows a control on its line, before the next control.
  private func precedesText(_ control: Int32) -> Bool {
    var next = tree.nodeAfterSubtree(control, in: 0)
    for _ in 0..<Self.maxNodesBeforeText where next >= 0 {
      let name = tree.nodes[Int(next)].name
      switch name {
      case .characters: if !tree.isBlank(next) { return true }
      case .img, .svg: return true
      case .br, .input, .select, .textarea, .button: return false
      default: if name.isBlock { return false }
      }
      next = tree.nodeAfter(next, in: 0)
    }
    return false
  }

  private static let maxNodesBeforeText = 8

  /// Returns the text that represents an input; nil if the input is hidden, or a script button
  /// without a value.
  private func shownText(ofInput node: Int32) -> String? {
    let type = (tree.string(.type, of: node) ?? "text").lowercased()
    let value = text(.value, of: node) ?? ""
    switch type {
    case "hidden": return nil
    case "checkbox": return tree.hasAttribute(.checked, node) ? "[x]" : "[ ]"
    case "radio": return tree.hasAttribute(.checked, node) ? "(*)" : "( )"
    case "submit": return "[\(value.isEmpty ? "Submit" : value)]"
    case "reset": return "[\(value.isEmpty ? "Reset" : value)]"
    case "button": return value.isEmpty ? nil : "[\(value)]"
    case "image":
      return "[\(firstText([.alt, .value, .title, .ariaLabel], of: node) ?? "Submit")]"
    case "file": return Self.emptyFieldText
    case "password": return value.isEmpty ? Self.emptyFieldText : "[********]"
    case "range":
      let (low, high) = (decimalValue(.min, of: node) ?? 0, decimalValue(.max, of: node) ?? 100)
      return barText(
        value: Double(value) ?? (low + max(low, high)) / 2, minimum: low, maximum: high)
    default:
      let isEmpty = value.isEmpty || DateSyntax(rawValue: type)?.accepts(value) == false
      return isEmpty ? emptyFieldText(node) : "[\(value)]"
    }
  }

  /// Adds a `select`, represented by its selected choices only: those that `FormReader` selects.
  private mutating func addSelect(_ node: Int32) {
    let isMultiple = tree.hasAttribute(.multiple, node)
    var first: Int32 = -1
    var firstEnabled: Int32 = -1
    var chosen: [Int32] = []
    var next = tree.nodeAfter(node, in: node)
    while next >= 0 {
      if tree.nodes[Int(next)].name == .option {
        if first < 0 { first = next }
        if firstEnabled < 0, !isDisabledOption(next) { firstEnabled = next }
        if tree.hasAttribute(.selected, next), chosen.count < 100 {
          if isMultiple { chosen.append(next) } else { chosen = [next] }
        }
      }
      next = tree.nodeAfter(next, in: node)
    }
    let isList = isMultiple || (tree.attributeInteger(.size, of: node) ?? 1) > 1
    if chosen.isEmpty, firstEnabled >= 0, !isList { chosen = [firstEnabled] }
    let text = chosen.map { optionText($0) }.joined(separator: ", ")
    if text.isEmpty {
      // Choices are not part of the text, but the control must be visible.
      if first >= 0 { addControl("[\u{A0}▾]", node) }
    } else {
      addControl("[\(text) ▾]", node)
    }
  }

  /// Returns whether an `option` or the `optgroup` around it is disabled.
  private func isDisabledOption(_ option: Int32) -> Bool {
    let group = tree.nodes[Int(option)].parent
    return tree.hasAttribute(.disabled, option)
      || group >= 0 && tree.nodes[Int(group)].name == .optgroup
        && tree.hasAttribute(.disabled, group)
  }

  /// Returns the text for an empty field, with its placeholder in parentheses to distinguish it
  /// from a value.
  private func emptyFieldText(_ node: Int32) -> String {
    let hint = text(.placeholder, of: node) ?? ""
    guard !hint.isEmpty else { return Self.emptyFieldText }
    return hint.hasPrefix("(") && hint.hasSuffix(")") ? "[\(hint)]" : "[(\(hint))]"
  }

  /// An empty field: ten no-break spaces in brackets.
  private static let emptyFieldText = "[" + String(repeating: "\u{A0}", count: 10) + "]"

  private func optionText(_ node: Int32) -> String {
    let label = text(.label, of: node) ?? ""
    return label.isEmpty ? text(below: node) : label
  }

  private mutating func addTextArea(_ node: Int32) {
    let text = text(below: node, maxLength: 1 << 24)
    addControl(text.isEmpty ? emptyFieldText(node) : "[\(text)]", node)
  }

  private mutating func addMeterBar(_ node: Int32, _ name: ElementName) {
    guard let value = decimalValue(.value, of: node) else {
      let text = text(below: node)
      if !text.isEmpty { addSeparatedText(text, style: .control) }
      return
    }
    let low = name == .meter ? decimalValue(.min, of: node) ?? 0 : 0
    let high = decimalValue(.max, of: node) ?? 1
    let shown = barText(
      value: value, minimum: low, maximum: name == .progress && high <= 0 ? 1 : high)
    addSeparatedText(shown, style: .control)
  }

  private func decimalValue(_ name: AttributeName, of node: Int32) -> Double? {
    tree.string(name, of: node).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a bar such as `▓▓▓▓▓▓░░░░ 60%`.
  private func barText(value: Double, minimum: Double, maximum: Double) -> String {
    let share = maximum > minimum ? max(0, min(1, (value - minimum) / (maximum - minimum))) : 0
    let filled = Int((share * 10).rounded())
    return String(repeating: "▓", count: filled) + String(repeating: "░", count: 10 - filled)
      + " \(Int((share * 100).rounded()))%"
  }
}
