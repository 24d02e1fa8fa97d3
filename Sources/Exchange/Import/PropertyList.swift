import DOM
import Feeds
import Foundation

/// Property lists of Apple, as XML or binary: the bookmarks and reading list of Safari, and the
/// URL of a `.webloc` file.
enum PropertyList {
  /// The folders that Safari always has, which do not become tags.
  private static let rootFolders = ["BookmarksBar", "BookmarksMenu", "com.apple.ReadingList"]
  /// The maximum nesting depth of folders that become tags.
  private static let maxFolderDepth = 16
  /// The maximum nesting depth of values.
  static let maxDepth = 64

  /// Reads the bookmarks of a property list.
  /// - Parameters:
  ///   - bytes: The content, in any encoding if it is XML.
  ///   - list: Receives the pages.
  static func read(_ bytes: [UInt8], into list: inout ImportedList) {
    var open: [(value: JSONValue, folders: [String])] = [(root(of: bytes), [])]
    while let (value, folders) = open.popLast() {
      if let address = (value["URLString"] ?? value["URL"])?.string {
        let item = value["ReadingList"]
        list.add(
          address,
          ImportedLink(
            url: "", title: value["URIDictionary"]?["title"]?.string ?? "", tags: folders,
            date: item?["DateAdded"]?.string.flatMap { DateText.parse($0) },
            note: item?["PreviewText"]?.string ?? ""))
      }
      let name = value["Title"]?.string ?? ""
      let isFolder = !name.isEmpty && !rootFolders.contains(name)
      let childFolders = Array((isFolder ? folders + [name] : folders).prefix(maxFolderDepth))
      open += (value["Children"]?.array ?? []).reversed().map { (value: $0, folders: childFolders) }
    }
  }

  /// Parses a property list.
  /// - Parameter bytes: The content, in any encoding if it is XML.
  /// - Returns: The root value, in which data is text in base64.
  static func root(of bytes: [UInt8]) -> JSONValue {
    var binary = BinaryPropertyList(bytes)
    return binary?.root ?? value(ofXML: ImportFormat.text(of: bytes))
  }

  // MARK: XML

  private static func value(ofXML text: [UInt8]) -> JSONValue {
    let list = XMLTree(text).elements.first { $0.name == "plist" }
    return list?.children.first { _ in true }.map { value($0, depth: 0) } ?? .null
  }

  private static func value(_ element: XMLElement, depth: Int) -> JSONValue {
    guard depth < maxDepth else { return .null }
    switch element.name {
    case "array": return .array(element.children.map { value($0, depth: depth + 1) })
    case "dict":
      var members: [String: JSONValue] = [:]
      var key: String?
      for child in element.children {
        if child.name == "key" {
          key = child.text
        } else if let name = key {
          members[name] = value(child, depth: depth + 1)
          key = nil
        }
      }
      return .object(members)
    default: return .string(element.text)
    }
  }
}
