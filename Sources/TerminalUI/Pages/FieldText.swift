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
  let isLinear: Bool
  /// The width of a line in columns; the maximum width of a field.
  let width: Int

  /// The field of each control; empty for a page without controls.
  var fields: [LayoutOptions.Field] {
    guard !forms.spans.isEmpty else { return [] }
    return zip(Int32(0)..., forms.controls).map { index, control in
      var field = LayoutOptions.Field(
        text: text(of: index, control), isActive: control.isActive, isButton: control.isButton)
      field.isBox = control.kind == .checkbox || control.kind == .radio
      let opens = "[".utf8.count
      if let hint = hint(of: index, control), field.text?.dropFirst(opens).hasPrefix(hint) == true {
        field.hint = opens..<opens + hint.utf8.count
      }
      return field
    }
  }

  /// Returns the placeholder of an empty field, in parentheses to distinguish it from a value; nil
  /// for none.
  private func hint(of index: Int32, _ control: PageForms.Control) -> String? {
    guard control.kind == .text || control.kind == .area && !control.isReadOnly,
      !control.placeholder.isEmpty, values.text(of: index, in: forms).isEmpty
    else { return nil }
    let columns = min(control.kind == .area ? 40 : Self.columns(of: control, 20), width - 2)
    let text = widths.truncated(
      Self.clean(control.placeholder[...]), to: max(1, columns - 2), ellipsis: glyphs.ellipsis)
    guard !text.isEmpty else { return nil }
    let hint = text.replacing(" ", with: "\u{A0}")
    return hint.hasPrefix("(") && hint.hasSuffix(")") ? hint : "(" + hint + ")"
  }

  /// Returns the text shown for a control; nil to show the text of the page.
  private func text(of index: Int32, _ control: PageForms.Control) -> String? {
    switch control.kind {
    case .text:
      let text = values.text(of: index, in: forms)
      return box(
        hint(of: index, control) ?? text, columns: Self.columns(of: control, 20), blank: "_")
    case .password:
      let count = values.text(of: index, in: forms).count
      let columns = Self.columns(of: control, 20)
      return box(
        String(repeating: glyphs.secret, count: min(count, columns)), columns: columns, blank: "_")
    // A read-only text area is shown as ordinary text.
    case .area where control.isReadOnly: return nil
    case .area:
      let text = values.text(of: index, in: forms)
      return hint(of: index, control).map { box($0, columns: 40, blank: "_") } ?? box(area: text)
    case .checkbox: return values.isChecked(index, in: forms) ? "[x]" : "[\u{A0}]"
    case .radio: return values.isChecked(index, in: forms) ? "(*)" : "(\u{A0})"
    case .select: return box(select: index, control)
    case .hidden, .file, .submit, .reset, .button: return nil
    }
  }

  private static func columns(of control: PageForms.Control, _ usual: Int) -> Int {
    min(max(control.columns > 0 ? control.columns : usual, 3), 40)
  }

  /// Returns a box with the first non-blank line of a text and the number of its lines.
  private func box(area text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.first { line in line.contains { $0 != " " && $0 != "\t" } } ?? ""
    let note = lines.count > 1 ? " (\(lines.count) lines)" : ""
    let columns = min(40, width - 2)
    let head = widths.truncated(
      Self.clean(first), to: columns - widths.width(of: note), ellipsis: glyphs.ellipsis)
    return box(head + note, columns: columns, blank: "_")
  }

  /// Returns a box with the selected choices, as wide as the longest choice.
  private func box(select index: Int32, _ control: PageForms.Control) -> String {
    let longest = control.choices.prefix(1000).reduce(3) { longest, choice in
      longest >= 30
        ? longest
        : max(longest, widths.width(of: Self.clean(forms.choices[Int(choice)].label[...])))
    }
    let chosen = values.chosen(of: index, in: forms).prefix(100)
      .map { forms.choices[Int($0)].label }.joined(separator: ", ")
    return box(
      chosen, columns: min(longest, 30), blank: "\u{A0}",
      end: glyphs.opens.isEmpty ? "" : "\u{A0}" + glyphs.opens)
  }

  /// Returns text in brackets, truncated or padded to a number of columns; spaces become no-break
  /// spaces.
  private func box(_ text: String, columns: Int, blank: String, end: String = "") -> String {
    let columns = max(1, min(columns, width - 2 - widths.width(of: end)))
    let clean = widths.truncated(Self.clean(text[...]), to: columns, ellipsis: glyphs.ellipsis)
    let least = isLinear ? 1 : columns
    let filling = String(repeating: blank, count: max(0, least - widths.width(of: clean)))
    return "[" + clean.replacing(" ", with: "\u{A0}") + filling + end + "]"
  }

  /// Returns text as a single line without control characters, at most 500 characters of it.
  private static func clean(_ text: Substring) -> String {
    var editor = LineEditor()
    editor.insert(String(text.prefix(500)))
    return editor.text
  }
}
