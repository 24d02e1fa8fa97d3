import DOM
import Feeds
import Foundation

/// References that Zotero exported as RDF.
enum ZoteroRDF {
  /// Returns whether XML in lower case begins like such an export.
  static func matches(_ start: String) -> Bool {
    start.contains("<rdf:rdf") && start.contains("zotero.org/namespaces/export")
  }

  /// The types of items that have no page of their own.
  private static let partTypes: Set<String> = ["attachment", "note", "annotation"]

  /// Adds the pages of the references to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    XMLTree(text).root.visitDescendants(with: ()) { element, _ in
      guard let type = child("itemtype", of: element) else { return () }
      if !partTypes.contains(type.leadingText.oneLine.lowercased()) {
        reference(element).add(to: &list)
      }
      return nil
    }
  }

  private static func child(_ name: String, of element: XMLElement) -> XMLElement? {
    element.children.first { $0.name == name }
  }

  private static func reference(_ element: XMLElement) -> Reference {
    var reference = Reference()
    for child in element.children {
      switch child.name {
      case "title": reference.link.title = child.leadingText
      case "subject":
        // Tags that Zotero itself assigned are in `AutomaticTag`.
        let tag = self.child("automatictag", of: child) ?? child
        reference.link.tags.append(value(of: tag))
      case "datesubmitted": reference.link.date = DateText.parse(child.leadingText.oneLine)
      case "identifier":
        let text = value(of: self.child("uri", of: child) ?? child).oneLine
        if text.hasPrefix("DOI ") { reference.doi = text } else { reference.addresses.append(text) }
      default: break
      }
    }
    // The identifier of an item is its URL, or a name such as `urn:isbn:1`.
    if let about = element.attribute("rdf:about") { reference.addresses.append(about) }
    return reference
  }

  /// Returns the text of an element, or of its child `rdf:value`.
  private static func value(of element: XMLElement) -> String {
    (child("value", of: element) ?? element).leadingText
  }
}
