import DOM
import Feeds

/// References that EndNote exported as XML.
enum EndNoteXML {
  /// Returns whether XML in lower case begins like such an export.
  static func matches(_ start: String) -> Bool {
    start.contains("<records>") && start.contains("<record>") && start.contains("<ref-type")
  }

  /// Adds the pages of the references to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    XMLTree(text).root.visitDescendants(with: ()) { element, _ in
      guard element.name == "record" else { return () }
      reference(element).add(to: &list)
      return nil
    }
  }

  private static let fieldNames: Set = [
    "url", "electronic-resource-num", "title", "keyword", "notes", "abstract", "access-date",
  ]

  private static func reference(_ record: XMLElement) -> Reference {
    var reference = Reference()
    record.visitDescendants(with: ()) { element, _ in
      guard fieldNames.contains(element.name) else { return () }
      // Each text is in elements that describe its font.
      let text = element.text
      switch element.name {
      case "url": reference.addresses.append(text.oneLine)
      case "electronic-resource-num": reference.doi = text.oneLine
      case "title" where reference.link.title.isEmpty: reference.link.title = text
      case "keyword": reference.link.tags.append(text)
      case "notes", "abstract": reference.link.add(note: text)
      case "access-date": reference.link.date = DateText.parse(text.oneLine)
      default: break
      }
      return nil
    }
    return reference
  }
}
