import Document
import Layout
import Terminal

/// The text shown for each control of a page. Except in linear mode, its width does not depend on
/// the value, so that the rest of the page does not move.
struct FieldText {
  let forms: PageForms
  let values: FormValues
  let widths: DisplayWidth
  let glyphs: Glyphs
  /// Whether fields are as narrow as their content, because screen readers would read the padding
  /// aloud.
  let fitsContent: Bool
  /// The width of a line in columns; the maximum width of a field.
  let maxWidth: Int

  /// The field of each control; empty for a page without controls.
  var fields: [LayoutOptions.ControlAppearance] {
    guard !forms.controlSpans.isEmpty else { return [] }
    return zip(Int32(0)..., forms.controls).map { index, control in
      var field = LayoutOptions.ControlAppearance(
        text: controlText(of: index, control), isTarget: control.isInteractive,
        isButton: control.isButton)
      field.isCheckable = control.kind == .checkbox || control.kind == .radio
      let opens = "[".utf8.count
      if let hint = placeholderText(of: index, control),
        field.text?.dropFirst(opens).hasPrefix(hint) == true
      {
        field.placeholderRange = opens..<opens + hint.utf8.count
      }
      return field
    }
  }

  /// Returns the placeholder of an empty field, in parentheses to distinguish it from a value; nil
  /// for none.
  private func placeholderText(of index: Int32, _ control: PageForms.Control) -> String? {
    guard control.kind == .text || control.kind == .textArea && !control.isReadOnly,
      !control.placeholder.isEmpty, values.text(of: index, in: forms).isEmpty
    else { return nil }
    let columns = min(
      control.kind == .textArea ? 40 : Self.columnCount(of: control, 20), maxWidth - 2)
    let text = widths.truncated(
      Self.singleLine(control.placeholder[...]), to: max(1, columns - 2), ellipsis: glyphs.ellipsis)
    guard !text.isEmpty else { return nil }
    let hint = text.replacing(" ", with: "\u{A0}")
    return hint.hasPrefix("(") && hint.hasSuffix(")") ? hint : "(" + hint + ")"
  }

  /// Returns the text shown for a control; nil to show the text of the page.
  private func controlText(of index: Int32, _ control: PageForms.Control) -> String? {
    switch control.kind {
    case .text:
      let text = values.text(of: index, in: forms)
      return bracketed(
        placeholderText(of: index, control) ?? text, columns: Self.columnCount(of: control, 20),
        filler: "_")
    case .password:
      let count = values.text(of: index, in: forms).count
      let columns = Self.columnCount(of: control, 20)
      return bracketed(
        String(repeating: glyphs.passwordMask, count: min(count, columns)), columns: columns,
        filler: "_")
    // A read-only text area is shown as ordinary text.
    case .textArea where control.isReadOnly: return nil
    case .textArea:
      let text = values.text(of: index, in: forms)
      return placeholderText(of: index, control).map { bracketed($0, columns: 40, filler: "_") }
        ?? textAreaText(area: text)
    case .checkbox: return values.isChecked(index, in: forms) ? "[x]" : "[\u{A0}]"
    case .radio: return values.isChecked(index, in: forms) ? "(*)" : "(\u{A0})"
    case .select: return selectText(select: index, control)
    case .hidden, .file, .submit, .reset, .scriptButton: return nil
    }
  }

  private static func columnCount(of control: PageForms.Control, _ defaultCount: Int) -> Int {
    min(max(control.columns > 0 ? control.columns : defaultCount, 3), 40)
  }

  /// Returns a box with the first non-blank line of a text and the number of its lines.
  private func textAreaText(area text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.first { line in line.contains { $0 != " " && $0 != "\t" } } ?? ""
    let note = lines.count > 1 ? " (\(lines.count) lines)" : ""
    let columns = min(40, maxWidth - 2)
    let head = widths.truncated(
      Self.singleLine(first), to: columns - widths.width(of: note), ellipsis: glyphs.ellipsis)
    return bracketed(head + note, columns: columns, filler: "_")
  }

  /// Returns a box with the selected choices, as wide as the longest choice.
  private func selectText(select index: Int32, _ control: PageForms.Control) -> String {
    let longest = control.choices.reduce(3) { longest, choice in
      let label = forms.choices[Int(choice)].label
      // No text is wider than its number of bytes.
      return longest >= 30 || label.utf8.count <= longest
        ? longest : max(longest, widths.width(of: Self.singleLine(label[...])))
    }
    let chosen = values.selectedChoices(of: index, in: forms).prefix(100)
      .map { forms.choices[Int($0)].label }.joined(separator: ", ")
    return bracketed(
      chosen, columns: min(longest, 30), filler: "\u{A0}",
      suffix: glyphs.dropDownArrow.isEmpty ? "" : "\u{A0}" + glyphs.dropDownArrow)
  }

  /// Returns text in brackets, truncated or padded to a number of columns; spaces become no-break
  /// spaces.
  private func bracketed(_ text: String, columns: Int, filler: String, suffix: String = "")
    -> String
  {
    let columns = max(1, min(columns, maxWidth - 2 - widths.width(of: suffix)))
    let clean = widths.truncated(Self.singleLine(text[...]), to: columns, ellipsis: glyphs.ellipsis)
    let minColumns = fitsContent ? 1 : columns
    let filling = String(repeating: filler, count: max(0, minColumns - widths.width(of: clean)))
    return "[" + clean.replacing(" ", with: "\u{A0}") + filling + suffix + "]"
  }

  /// Returns text as a single line without control characters, at most 500 characters of it.
  private static func singleLine(_ text: Substring) -> String {
    var editor = LineEditor()
    editor.insert(String(text.prefix(500)))
    return editor.text
  }
}
