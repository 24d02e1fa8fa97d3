import DOM

/// The form controls that are shown. The forms of the page are read when the first one is shown.
struct ShownControls {
  /// The forms of the page; empty if no control is shown.
  private(set) var forms = PageForms()
  /// The index in `forms.controls` of each node that is a control; nil until the forms are read.
  private var indices: [Int32: Int32]?

  /// Whether the forms have been read.
  var hasForms: Bool { indices != nil }

  /// Reads the forms of a page.
  mutating func readForms(of page: DOMTree) {
    let (forms, indices) = FormReader.read(page)
    self.forms = forms
    self.indices = indices
  }

  /// Returns whether a button submits the form of the control that was shown last.
  func completesForm(_ button: Int32) -> Bool {
    guard let own = indices?[button], let last = forms.controlSpans.last else { return false }
    let control = forms.controls[Int(own)]
    return control.isSubmit && control.form != nil
      && control.form == forms.controls[Int(last.control)].form
  }

  /// Returns whether a `label` element with text names a control.
  func hasLabelElementText(_ node: Int32) -> Bool {
    guard let control = indices?[node] else { return false }
    return !forms.controls[Int(control)].labelElementText.isEmpty
  }

  /// Records the position of a control. A button that contains other controls ends before them.
  /// - Parameters:
  ///   - node: The element.
  ///   - range: The range of the text since the start of the control.
  ///   - linkCount: The number of links before the end of the control.
  mutating func record(_ node: Int32, in range: Range<Int>, linkCount: Int) {
    guard let control = indices?[node] else { return }
    let spans = forms.controlSpans
    let position = (spans.lastIndex { $0.start < range.lowerBound } ?? -1) + 1
    let end =
      spans.indices.contains(position) ? spans[position].start : UInt32(range.upperBound)
    guard range.lowerBound < end, position == 0 || spans[position - 1].end <= range.lowerBound
    else { return }
    forms.controlSpans.insert(
      PageForms.ControlSpan(
        start: UInt32(range.lowerBound), end: end, control: control,
        precedingLinkCount: Int32(linkCount)),
      at: position)
  }
}
