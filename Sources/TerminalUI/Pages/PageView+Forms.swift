import Pages
import Document
import Layout

extension PageView {
  /// The first editable single-line text field at or below the top of the screen, or else the first
  /// one of the page, with its line; nil if there is none.
  var firstTextField: (control: Int32, line: Int)? {
    let fields = layout.linkPlacements.compactMap { position -> (control: Int32, line: Int)? in
      guard let index = position.target.controlIndex, let control = control(index),
        control.isInteractive,
        control.isSingleLineText, !control.isReadOnly
      else { return nil }
      return (index, Int(position.lineIndex))
    }
    return fields.first { $0.line >= topLine } ?? fields.first
  }

  /// The focused control, or nil.
  var focusedControl: Int32? { focus?.controlIndex }

  /// Returns a control of the page; nil if the index is out of range.
  func control(_ index: Int32) -> PageForms.Control? {
    let controls = page.document.forms.controls
    return controls.indices.contains(Int(index)) ? controls[Int(index)] : nil
  }

  /// Returns the label of a control: its caption, the text beside it (before a field, after a
  /// checkbox or radio button), the label given by the page, or its name.
  func controlLabel(ofControl index: Int32) -> String {
    let document = page.document
    guard let control = control(index),
      let position = document.forms.controlSpans.firstIndex(where: {
        $0.control == index
      })
    else { return "" }
    let spans = document.forms.controlSpans
    let span = spans[position]
    switch control.kind {
    case .submit, .reset, .scriptButton:
      let buttonText = Self.trimmedText(document.text[Int(span.start)..<Int(span.end)])
      return buttonText.isEmpty ? control.accessibleLabel : buttonText
    default: break
    }
    let caption = Self.trimmedText(Array(control.labelElementText.utf8)[...])
    if !caption.isEmpty { return String(caption.prefix(40)) }
    let leaf = document.leafRange(around: span.start)
    let precedingControlEnd = position > 0 ? document.textEnd(ofTextFor: spans[position - 1]) : 0
    let textStart = max(leaf.lowerBound, precedingControlEnd)
    let textEnd = min(
      leaf.upperBound, position + 1 < spans.count ? spans[position + 1].start : .max)
    let isBox = control.kind == .checkbox || control.kind == .radio
    let adjacentText = Self.trimmedText(
      isBox
        ? document.text[Int(span.end)..<Int(max(span.end, textEnd))]
        : document.text[Int(min(textStart, span.start))..<Int(span.start)])
    if !adjacentText.isEmpty {
      return String(isBox ? adjacentText.prefix(40) : adjacentText.suffix(40))
    }
    if !control.accessibleLabel.isEmpty { return control.accessibleLabel }
    // In a table of fields, the label is in the preceding cell.
    let start = min(precedingControlEnd, leaf.lowerBound)
    let precedingText = Self.trimmedText(
      document.text[Int(start)..<Int(leaf.lowerBound)].suffix(60))
    let cellStart = max(start, document.leafStart(before: leaf.lowerBound))
    let cellText = Self.trimmedText(document.text[Int(cellStart)..<Int(leaf.lowerBound)])
    if !isBox, !cellText.isEmpty, precedingText.utf8.count <= 40 { return cellText }
    return control.name
  }

  private static func trimmedText(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    var characters = text.map { $0 == "\n" || $0 == "\u{A0}" ? " " : $0 }[...]
    let isMarker = { (character: Character) in " :*[]()_".contains(character) }
    while let first = characters.first, isMarker(first) { characters.removeFirst() }
    while let last = characters.last, isMarker(last) { characters.removeLast() }
    return String(characters)
  }

  /// The controls that can be focused, in page order.
  var reachableControls: [Int32] {
    layout.linkPlacements.compactMap { $0.target.controlIndex }
  }
}

extension Document {
  /// Returns the end of a control including its own label. The label of a checkbox or radio button
  /// follows it: its caption if there is one, otherwise the rest of the line.
  fileprivate func textEnd(ofTextFor span: PageForms.ControlSpan) -> UInt32 {
    let control = forms.controls[Int(span.control)]
    guard control.kind == .checkbox || control.kind == .radio else { return span.end }
    let rest = text[Int(span.end)..<Int(leafRange(around: span.start).upperBound)]
    let labelBytes = Array(control.labelElementText.utf8)
    if !labelBytes.isEmpty, let start = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x0A }),
      rest[start...].starts(with: labelBytes)
    {
      return UInt32(start + labelBytes.count)
    }
    return UInt32(rest.firstIndex(of: 0x0A) ?? rest.endIndex)
  }

  /// Returns the start of the last leaf block that ends at or before an offset; the offset if there
  /// is none.
  fileprivate func leafStart(before offset: UInt32) -> UInt32 {
    var result = offset
    for block in blocks where !block.runs.isEmpty {
      guard runs[Int(block.runs.upperBound) - 1].end <= offset else { break }
      result = runs[Int(block.runs.lowerBound)].start
    }
    return result
  }

  /// Returns the range of the leaf block that contains an offset.
  fileprivate func leafRange(around offset: UInt32) -> Range<UInt32> {
    for block in blocks where !block.runs.isEmpty {
      let start = runs[Int(block.runs.lowerBound)].start
      let end = runs[Int(block.runs.upperBound) - 1].end
      if end > offset { return min(start, offset)..<end }
    }
    return 0..<UInt32(text.count)
  }
}
