import DOM

extension DOMTree {
  /// Returns whether a table consists only of a header that the next table repeats. Scripts create
  /// such tables to keep the header of a table in view while its rows scroll.
  func isHeaderRepeatedByNextTable(_ table: Int32, _ hiding: HidingRules) -> Bool {
    guard isOnlyHeader(table), let next = tableDirectlyAfter(table, hiding),
      let nextHeader = headerPart(of: next),
      let header = shownText(of: table, hiding), !header.isEmpty
    else { return false }
    return shownText(of: nextHeader, hiding) == header
  }

  /// Returns whether a table has header cells but no other cells, links, images or fields.
  private func isOnlyHeader(_ table: Int32) -> Bool {
    var hasCells = false
    var next = nodeAfter(table, in: table)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return hasCells }
      switch nodes[Int(node)].name {
      case .th: hasCells = true
      case .td, .table, .a, .img, .svg, .input, .select, .textarea, .button: return false
      default: break
      }
      next = nodeAfter(node, in: table)
    }
    return false
  }

  /// Returns the table that follows a table with nothing shown between them.
  private func tableDirectlyAfter(_ table: Int32, _ hiding: HidingRules) -> Int32? {
    var next = nodeAfterSubtree(table, in: 0)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return nil }
      switch nodes[Int(node)].name {
      case .characters where !isBlank(node): return nil
      case .characters: next = nodeAfter(node, in: 0)
      case _ where hiding.hides(node, of: self): next = nodeAfterSubtree(node, in: 0)
      case .table: return node
      case .img, .svg, .input, .select, .textarea, .hr: return nil
      default: next = nodeAfter(node, in: 0)
      }
    }
    return nil
  }

  /// Returns the header group of a table, or its first row if the table does not begin with one.
  private func headerPart(of table: Int32) -> Int32? {
    var next = nodeAfter(table, in: table)
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return nil }
      if nodes[Int(node)].name == .thead || nodes[Int(node)].name == .tr { return node }
      next = nodeAfter(node, in: table)
    }
    return nil
  }

  /// Returns the text of an element that is shown, without white space; nil if it is too long.
  private func shownText(of element: Int32, _ hiding: HidingRules) -> [UInt8]? {
    var text: [UInt8] = []
    var next: Int32? = element
    for _ in 0..<Self.maxExaminedHeaderNodes {
      guard let node = next else { return text }
      if nodes[Int(node)].name == .characters {
        let range = Int(nodes[Int(node)].start)..<Int(nodes[Int(node)].end)
        text += bytes[range].filter { !$0.isWhiteSpace }
      } else if hiding.hides(node, of: self) {
        next = nodeAfterSubtree(node, in: element)
        continue
      }
      next = nodeAfter(node, in: element)
    }
    return nil
  }

  /// The maximum number of nodes that are examined for each question about a header.
  private static let maxExaminedHeaderNodes = 500
}
