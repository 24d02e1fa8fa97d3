import DOM
import Feeds
import Foundation

/// Bookmarks in XBEL (XML Bookmark Exchange Language), as Konqueror, Falkon and Floccus write them.
enum XBELFile {
  /// The maximum nesting depth of folders that become tags.
  private static let maxFolderDepth = 16

  /// Reads bookmarks; folders become tags.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    XMLTree(text).root.visitDescendants(with: [String]()) { element, folders in
      switch element.name {
      case "folder":
        let title = Self.text(of: "title", in: element).oneLine
        return title.isEmpty ? folders : Array((folders + [title]).prefix(maxFolderDepth))
      case "bookmark":
        let link = ImportedLink(
          url: "", title: Self.text(of: "title", in: element), tags: folders,
          date: element.attribute("added").flatMap { DateText.parse($0) },
          note: Self.text(of: "desc", in: element))
        list.add(element.attribute("href") ?? "", link)
        return nil
      default: return folders
      }
    }
  }

  /// Returns the text of the first child with a name, or an empty one.
  private static func text(of name: String, in element: XMLElement) -> String {
    element.children.first { $0.name == name }?.leadingText ?? ""
  }
}
