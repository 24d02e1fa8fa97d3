extension DocumentBuilder {
  /// Form controls as text. False when the children are not visited.
  mutating func enterControl(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .input: addInput(node)
    case .select: addChoice(node)
    case .textarea: addTextArea(node)
    case .meter, .progress: addBar(node, name)
    case .button:
      pendingSpace = pendingSpace || leafRun >= 0
      guard !tree.nodes[Int(node)].contents.contains(.block) else { return true }
      if tree.nodes[Int(node)].contents.isDisjoint(with: [.text, .image]) {
        if let label = buttonLabel(node) { addControl("[\(label)]") }
        return false
      }
      style.insert(.control)
      guard tree.nodes[Int(node)].contents.contains(.text) else { return true }
      addLiteral("[")
      spaceless = document.text.count
      return true
    default: break
    }
    return false
  }

  /// The name of a button without text. One that only scripts give a meaning has none.
  private func buttonLabel(_ node: Int32) -> String? {
    guard !tree.value(.type, of: node, contains: "button"), isInForm(node) else { return nil }
    return firstText([.value, .ariaLabel, .title], of: node)
  }

  private func isInForm(_ node: Int32) -> Bool {
    var node = node
    while node >= 0 {
      if tree.nodes[Int(node)].name == .form { return true }
      node = tree.nodes[Int(node)].parent
    }
    return false
  }

  mutating func endButton(_ frame: Frame) {
    let contents = tree.nodes[Int(frame.node)].contents
    if contents.contains(.text), !contents.contains(.block) {
      pendingSpace = false
      addLiteral("]")
    }
    pendingSpace = true
  }

  private mutating func addControl(_ text: String) {
    addWord(text, style: .control)
  }

  private mutating func addInput(_ node: Int32) {
    let type = (tree.string(.type, of: node) ?? "text").lowercased()
    let value = text(.value, of: node) ?? ""
    switch type {
    case "hidden": break
    case "checkbox": addControl(tree.has(.checked, node) ? "[x]" : "[ ]")
    case "radio": addControl(tree.has(.checked, node) ? "(*)" : "( )")
    case "submit": addControl("[\(value.isEmpty ? "Submit" : value)]")
    case "reset": addControl("[\(value.isEmpty ? "Reset" : value)]")
    case "button": if !value.isEmpty { addControl("[\(value)]") }
    case "image":
      let label = firstText([.alt, .value, .title, .ariaLabel], of: node) ?? "Submit"
      addControl("[\(label)]")
    case "file": addControl(Self.emptyField)
    case "password": addControl(value.isEmpty ? Self.emptyField : "[********]")
    case "range":
      let bar = self.bar(
        value: Double(value) ?? 50, low: decimal(.min, of: node) ?? 0,
        high: decimal(.max, of: node) ?? 100)
      addControl(bar)
    default:
      let shown = value.isEmpty ? text(.placeholder, of: node) ?? "" : value
      addControl(shown.isEmpty ? Self.emptyField : "[\(shown)]")
    }
  }

  /// A select shows what is chosen, not everything that could be.
  private mutating func addChoice(_ node: Int32) {
    let isMultiple = tree.has(.multiple, node)
    var first: Int32 = -1
    var chosen: [String] = []
    var next = tree.next(node, in: node)
    while next >= 0 {
      if tree.nodes[Int(next)].name == .option {
        if first < 0 { first = next }
        if tree.has(.selected, next), chosen.isEmpty || isMultiple, chosen.count < 100 {
          chosen.append(optionText(next))
        }
      }
      next = tree.next(next, in: node)
    }
    if chosen.isEmpty, first >= 0, !isMultiple { chosen.append(optionText(first)) }
    let text = chosen.joined(separator: ", ")
    if !text.isEmpty { addControl("[\(text) ▾]") }
  }

  /// Ten columns to write in.
  private static let emptyField = "[" + String(repeating: "\u{A0}", count: 10) + "]"

  private func optionText(_ node: Int32) -> String {
    let text = text(below: node)
    return text.isEmpty ? self.text(.label, of: node) ?? "" : text
  }

  private mutating func addTextArea(_ node: Int32) {
    let text = text(below: node, limit: 1 << 24)
    let shown = text.isEmpty ? self.text(.placeholder, of: node) ?? "" : text
    addControl(shown.isEmpty ? Self.emptyField : "[\(shown)]")
  }

  private mutating func addBar(_ node: Int32, _ name: ElementName) {
    guard let value = decimal(.value, of: node) else {
      let text = text(below: node)
      if !text.isEmpty { addControl(text) }
      return
    }
    let low = name == .meter ? decimal(.min, of: node) ?? 0 : 0
    let high = decimal(.max, of: node) ?? 1
    addControl(bar(value: value, low: low, high: name == .progress && high <= 0 ? 1 : high))
  }

  private func decimal(_ name: AttributeName, of node: Int32) -> Double? {
    tree.string(name, of: node).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// A bar such as `▓▓▓▓▓▓░░░░ 60%`.
  private func bar(value: Double, low: Double, high: Double) -> String {
    let share = high > low ? max(0, min(1, (value - low) / (high - low))) : 0
    let filled = Int((share * 10).rounded())
    return String(repeating: "▓", count: filled) + String(repeating: "░", count: 10 - filled)
      + " \(Int((share * 100).rounded()))%"
  }
}
