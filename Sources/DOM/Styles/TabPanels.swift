extension DOMTree {
  /// Returns whether the role of an element is that of a tab panel (WAI-ARIA `tabpanel`), or its
  /// class is that of a panel in widespread component libraries.
  package func isTabPanel(_ node: Int32) -> Bool {
    if value(.role, of: node, contains: "tabpanel") { return true }
    guard let names = attribute(.class, of: node) else { return false }
    return bytes.contains("tab-pane", in: names) || bytes.contains("tabs-panel", in: names)
      || bytes.contains("tabpanel", in: names) || bytes.contains("tabcontent", in: names)
  }
}
