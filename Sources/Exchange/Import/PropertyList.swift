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
    return binary?.root ?? value(of: XMLTree(ImportFormat.text(of: bytes)))
  }

  /// Parses the beginning of a truncated property list.
  /// - Parameters:
  ///   - bytes: The beginning, in any encoding if it is XML.
  ///   - key: A key of the root dictionary.
  /// - Returns: The root value, and the text of the value within which the file ends, or nil if it
  ///   does not end within one. Nil if there is no value for the key.
  static func root(
    ofTruncated bytes: [UInt8], with key: String
  ) -> (value: JSONValue, incompleteText: String?)? {
    guard !bytes.starts(with: BinaryPropertyList.signature) else {
      // The size of references is at the missing end.
      for size in [1, 2, 4] {
        guard var list = BinaryPropertyList(truncated: bytes, referenceSize: size) else { continue }
        let root = list.root
        if root[key] != nil { return (root, list.incompleteText) }
      }
      return nil
    }
    var text = ImportFormat.text(of: bytes)
    if let start = text.lastIndex(of: UInt8(ascii: "<")),
      !text[start...].contains(UInt8(ascii: ">"))
    {
      text.removeSubrange(start...)
    }
    let tree = XMLTree(text)
    let root = value(of: tree)
    guard root[key] != nil else { return nil }
    let last = tree.elements.reduce(nil as XMLElement?) { $1 }
    return (root, last?.text)
  }

  // MARK: XML

  private static func value(of tree: XMLTree) -> JSONValue {
    let list = tree.elements.first { $0.name == "plist" }
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
