extension SheetStyles {
  /// The result of the rules that match an element.
  struct Style {
    var hiding = HidingDeclarations()
    var text = TextStyleDeclarations()
    /// The text before the content; nil for none.
    var contentBefore: GeneratedContent?
    /// The text after the content; nil for none.
    var contentAfter: GeneratedContent?
    /// The marker of a list item; nil if no rule sets it.
    var markerContent: GeneratedContent?
    /// Whether a rule for some sizes of the screen shows an element that other rules hide.
    var isShownBySize = false
    /// Whether a rule shows the element after the user clicks or selects something. Other rules
    /// then do not hide it.
    var isShownByClick = false
    /// The way in which the element is concealed until the pointer is over something; nil if it is
    /// not concealed.
    var tooltipConcealment: HidingDeclarations.Concealment?
    /// Whether the style may hide an element or show it within a hidden one.
    var mayAffectVisibility: Bool {
      hiding.hidesElement || hiding.visibility != nil || tooltipConcealment != nil
    }
  }
}

extension ElementSet {
  /// The elements that are usually a part of a line.
  static let phrasing: ElementSet = [
    .a, .abbr, .b, .cite, .code, .em, .font, .i, .label, .mark, .q, .small, .span, .strong, .sup,
    .time, .u,
  ]
}
