import DOM

/// Articles that wallabag or Tiny Tiny RSS exported as XML: elements with children that are named
/// like the members of objects in JSON.
enum ArticleXML {
  /// Returns whether XML in lower case begins like such an export.
  static func matches(_ start: String) -> Bool {
    start.contains("<entry") && start.contains("<is_archived>")
      || start.contains("<articles schema-version=")
  }

  /// Adds the pages to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var entries: [JSONValue] = []
    XMLTree(text).root.visitDescendants(with: ()) { element, _ in
      guard element.name == "entry" || element.name == "article" else { return () }
      entries.append(value(of: element, depth: 0))
      return nil
    }
    LinkJSON.read([.array(entries)], into: &list)
  }

  private static let maxDepth = 8

  /// Returns an object for an element with named children, an array for one with items, and a
  /// string for one without children.
  private static func value(of element: XMLElement, depth: Int) -> JSONValue {
    let children = depth < maxDepth ? Array(element.children) : []
    if children.isEmpty { return .string(element.leadingText) }
    if children.allSatisfy({ $0.name == "item" }) {
      return .array(children.map { value(of: $0, depth: depth + 1) })
    }
    var members: [String: JSONValue] = [:]
    for child in children { members[child.name] = value(of: child, depth: depth + 1) }
    return .object(members)
  }
}
