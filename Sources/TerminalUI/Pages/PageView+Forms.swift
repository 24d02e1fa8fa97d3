import Document
import Layout
import Reader

extension PageView {
  /// The control that is focused, or nil.
  var focusedControl: Int32? { focus?.control }

  /// A control of the page; nil when there is none of this index.
  func control(_ index: Int32) -> PageForms.Control? {
    let controls = page.document.forms.controls
    return controls.indices.contains(Int(index)) ? controls[Int(index)] : nil
  }

  /// What a control is called: what stands before it, or behind a box; what the page says of it; its
  /// name.
  func words(ofControl index: Int32) -> String {
    let document = page.document
    guard let control = control(index),
      let place = document.forms.spans.firstIndex(where: {
        $0.control == index
      })
    else { return "" }
    let spans = document.forms.spans
    let span = spans[place]
    switch control.kind {
    case .submit, .reset, .button, .file:
      let shown = Self.trimmed(document.text[Int(span.start)..<Int(span.end)])
      return shown.isEmpty ? control.label : shown
    default: break
    }
    let leaf = document.leaf(around: span.start)
    let before = max(leaf.lowerBound, place > 0 ? spans[place - 1].end : 0)
    let after = min(leaf.upperBound, place + 1 < spans.count ? spans[place + 1].start : .max)
    let isBox = control.kind == .checkbox || control.kind == .radio
    let beside = Self.trimmed(
      isBox
        ? document.text[Int(span.end)..<Int(max(span.end, after))]
        : document.text[Int(min(before, span.start))..<Int(span.start)])
    if !beside.isEmpty { return String(isBox ? beside.prefix(40) : beside.suffix(40)) }
    if !control.label.isEmpty { return control.label }
    // In a table of fields the words stand in the cell before.
    let earlier = Self.trimmed(
      document.text[
        Int(place > 0 ? min(spans[place - 1].end, leaf.lowerBound) : 0)..<Int(leaf.lowerBound)
      ]
      .suffix(60))
    if !isBox, !earlier.isEmpty, earlier.utf8.count <= 40 { return earlier }
    return control.name
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    var characters = text.map { $0 == "\n" || $0 == "\u{A0}" ? " " : $0 }[...]
    let isMark = { (character: Character) in " :*[]()_".contains(character) }
    while let first = characters.first, isMark(first) { characters.removeFirst() }
    while let last = characters.last, isMark(last) { characters.removeLast() }
    return String(characters)
  }

  /// The controls that can be reached, in the order of the page.
  var reachableControls: [Int32] {
    layout.links.compactMap { $0.target.control }
  }
}

extension Document {
  /// The extent of the leaf in which an offset is.
  fileprivate func leaf(around offset: UInt32) -> Range<UInt32> {
    for block in blocks where !block.runs.isEmpty {
      let start = runs[Int(block.runs.lowerBound)].start
      let end = runs[Int(block.runs.upperBound) - 1].end
      if end > offset { return min(start, offset)..<end }
    }
    return 0..<UInt32(text.count)
  }
}
