import DOM

// Tables of `div` elements that only their roles (WAI-ARIA `table`, `row`, `cell`) and a style
// sheet of the site make tables.

extension DocumentBuilder {
  /// Begins a table, row or cell if the role of a `div` is one of them. Returns false for other
  /// elements.
  mutating func beginTableRole(_ node: Int32) -> Bool {
    guard let role = tree.tableRole(of: node) else { return false }
    switch (role, containers.innermostKind) {
    case (.table, _):
      guard inherited.leafKind == .paragraph, inherited.linkIndex == nil, tree.isTableOfRoles(node)
      else { return false }
      openContainer(.table)
    case (.row, .table?): openContainer(.row(isHeader: tree.hasOnlyColumnHeaders(node)))
    case (.cell, .row?): openCell(isHeader: false)
    case (.columnHeader, .row?), (.rowHeader, .row?): openCell(isHeader: true)
    default: return false
    }
    return true
  }

  private mutating func openCell(isHeader: Bool) {
    openContainer(.cell(isHeader: isHeader, columns: 1, rows: 1, alignment: .unset))
  }
}

/// The role of an element in a table.
private enum TableRole {
  case table, row, cell, columnHeader, rowHeader
}

extension DOMTree {
  /// Returns the role of an element in a table; nil for other elements.
  fileprivate func tableRole(of node: Int32) -> TableRole? {
    guard let range = attribute(.role, of: node) else { return nil }
    switch String(decoding: bytes[range], as: UTF8.self) {
    case "table", "grid", "treegrid": return .table
    case "row": return .row
    case "cell", "gridcell": return .cell
    case "columnheader": return .columnHeader
    case "rowheader": return .rowHeader
    default: return nil
    }
  }

  /// Returns whether all child elements of a row are headers of columns, and there is one.
  fileprivate func hasOnlyColumnHeaders(_ row: Int32) -> Bool {
    var count = 0
    var next = nodes[Int(row)].firstChild
    while let child = next {
      if nodes[Int(child)].name != .characters {
        guard tableRole(of: child) == .columnHeader else { return false }
        count += 1
      }
      next = nodes[Int(child)].nextSibling
    }
    return count > 0
  }
}

extension DOMTree {
  /// Returns whether the content of an element with the role of a table is in cells, which are
  /// children of rows, and they are data rather than a layout.
  fileprivate func isTableOfRoles(_ table: Int32) -> Bool {
    var features = TableFeatures()
    var column = 0
    var next = nodeAfter(table, in: table)
    while let node = next {
      let name = nodes[Int(node)].name
      guard name == .div else {
        guard name == .characters && isBlank(node) else { return false }
        next = nodeAfter(node, in: table)
        continue
      }
      switch tableRole(of: node) {
      case .table: return false
      case .row:
        features.beginRow()
        column = 0
      case .cell, .columnHeader, .rowHeader:
        guard tableRole(of: nodes[Int(node)].parent ?? 0) == .row else { return false }
        column += 1
        if features.cellCount < Self.maxExaminedCells { features.addCell(self, node, column) }
        if tableRole(of: node) != .cell { features.hasHeaderCell = true }
        next = nodeAfterSubtree(node, in: table)
        continue
      case nil: break
      }
      next = nodeAfter(node, in: table)
    }
    return features.rowCount > 1 && features.columnCount > 1 && !features.hasPageContent
      && !features.isLayoutTable(self, table)
  }

  /// Maximum number of cells whose content is examined.
  fileprivate static let maxExaminedCells = 400
}
