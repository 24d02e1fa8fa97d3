import DOM

extension DOMTree {
  /// Returns whether a table consists only of a header that the next table repeats. Scripts create
  /// such tables to keep the header of a table in view while its rows scroll.
  func isHeaderRepeatedByNextTable(_ table: Int32, _ hiding: HidingRules) -> Bool {
    guard isOnlyHeader(table), let next = tableDirectlyAfter(table, hiding),
      let nextHeader = firstPart(of: next, among: [.thead, .tr], hiding),
      let header = shownText(of: table, hiding), !header.isEmpty
    else { return false }
    return shownText(of: nextHeader, hiding) == header
  }

  /// Returns the table with the rows below a table that consists only of a header: the next table,
  /// if it has as many columns, no header and no caption.
  func tableOfRows(belowHeader table: Int32, _ hiding: HidingRules) -> Int32? {
    guard isOnlyHeader(table), let next = tableDirectlyAfter(table, hiding),
      let headerRow = firstPart(of: table, among: [.tr], hiding),
      let row = firstPart(of: next, among: [.caption, .tr], hiding), nodes[Int(row)].name == .tr
    else { return nil }
    let (header, firstRow) = (cells(ofRow: headerRow), cells(ofRow: row))
    // Headers may end with an empty cell above the scroll bar.
    let named = header.reversed().drop { !nodes[Int($0)].contents.contains(.text) }
    let isBelow =
      named.count > 1 && firstRow.contains { nodes[Int($0)].name == .td }
      && columnCount(of: named)...columnCount(of: header) ~= columnCount(of: firstRow)
    return isBelow ? next : nil
  }

  private func cells(ofRow row: Int32) -> [Int32] {
    var cells: [Int32] = []
    var next = nodes[Int(row)].firstChild
    while let child = next, cells.count < Self.maxExaminedHeaderNodes {
      if nodes[Int(child)].name == .td || nodes[Int(child)].name == .th { cells.append(child) }
      next = nodes[Int(child)].nextSibling
    }
    return cells
  }

  private func columnCount(of cells: some Sequence<Int32>) -> Int {
    cells.reduce(0) { $0 + max(1, min(1000, attributeInteger(.colspan, of: $1) ?? 1)) }
  }

  /// Returns whether a table has header cells but no other cells.
  private func isOnlyHeader(_ table: Int32) -> Bool {
    var hasCells = false
    var next = nodeAfter(table, in: table)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return hasCells }
      switch nodes[Int(node)].name {
      case .th: hasCells = true
      case .td, .table: return false
      default: break
      }
      next = nodeAfter(node, in: table)
    }
    return false
  }

  /// Returns the table that follows a table with nothing shown between them. Elements other than
  /// boxes may have another meaning, or may not be shown, such as `template`.
  private func tableDirectlyAfter(_ table: Int32, _ hiding: HidingRules) -> Int32? {
    var next = nodeAfterSubtree(table, in: 0)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return nil }
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node): return nil
      case .characters: next = nodeAfter(node, in: 0)
      case _ where hiding.hides(node, of: self): next = nodeAfterSubtree(node, in: 0)
      case .script, .style: next = nodeAfterSubtree(node, in: 0)
      case .table: return node
      case .div, .section, .article, .main, .center, .figure, .form, .tbody, .tr, .td, .th, .other:
        next = nodeAfter(node, in: 0)
      default: return nil
      }
    }
    return nil
  }

  /// Returns the first part of a table that is shown and has one of the names.
  private func firstPart(
    of table: Int32, among names: [ElementName], _ hiding: HidingRules
  ) -> Int32? {
    var next = nodeAfter(table, in: table)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return nil }
      if nodes[Int(node)].name != .characters, hiding.hides(node, of: self) {
        next = nodeAfterSubtree(node, in: table)
        continue
      }
      if names.contains(nodes[Int(node)].name) { return node }
      next = nodeAfter(node, in: table)
    }
    return nil
  }

  /// Returns the text of an element that is shown, without white space; nil if the element has
  /// links, images or fields, or is too large.
  private func shownText(of element: Int32, _ hiding: HidingRules) -> [UInt8]? {
    var text: [UInt8] = []
    var next: Int32? = element
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return text }
      switch nodes[Int(node)].name {
      case .characters:
        let range = Int(nodes[Int(node)].start)..<Int(nodes[Int(node)].end)
        text += bytes[range].filter { !$0.isWhiteSpace }
      case _ where hiding.hides(node, of: self):
        next = nodeAfterSubtree(node, in: element)
        continue
      case .a, .img, .svg, .input, .select, .textarea, .button: return nil
      default: break
      }
      next = nodeAfter(node, in: element)
    }
    return nil
  }

  /// The maximum number of nodes that are examined for each question about a header.
  private static let maxExaminedHeaderNodes = 500
}
