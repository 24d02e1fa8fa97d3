import Feeds
import Foundation
import DOM

/// Bookmarks in the format of browsers (Netscape-Bookmark-file-1), the XML export of Pinboard, and
/// the HTML exports of Pocket and Instapaper.
enum BookmarkFile {
  /// The maximum nesting depth of folders that become tags.
  private static let maxFolderDepth = 16

  /// The maximum number of characters of a description; any page may be read as bookmarks.
  private static let maxNoteLength = 10_000

  /// The maximum number of nodes of a link whose text is read.
  private static let maxNodes = 32

  /// Reads bookmarks; folders become tags. Any page with links is accepted.
  /// - Parameters:
  ///   - text: The file as UTF-8.
  ///   - isBookmarkFile: Whether the file is a list of bookmarks rather than just any page. If so,
  ///     links in descriptions count as bookmarks only if they have a date of their own.
  ///   - list: The list to which the bookmarks are added.
  static func read(_ text: [UInt8], isBookmarkFile: Bool, into list: inout ImportedList) {
    let tree = XMLTree(isBookmarkFile ? BookmarkMarkup.escapingText(of: text) : text)
    /// The open lists, each with its end and the folder it belongs to.
    var folders: [(end: Int, name: String)] = []
    var nextFolder = ""
    /// The link that the next description belongs to.
    var pendingLink: (address: String, link: ImportedLink)?
    var isInDescription = false
    func flush() {
      if let (address, link) = pendingLink { list.add(address, link) }
      (pendingLink, isInDescription) = (nil, false)
    }
    for element in tree.elements {
      while let folder = folders.last, element.source.startIndex > folder.end {
        folders.removeLast()
      }
      switch element.name {
      case "h3":
        flush()
        nextFolder = isRootFolder(element) ? "" : element.leadingText.oneLine
      case "dl" where folders.count < maxFolderDepth:
        folders.append((element.source.endIndex, nextFolder))
        nextFolder = ""
      case "a" where isInDescription && element.attribute("add_date") == nil: break
      case "a":
        flush()
        pendingLink = link(element, folders: folders.map(\.name), &list)
      case "dt": isInDescription = false
      case "dd":
        isInDescription = isBookmarkFile && pendingLink != nil
        pendingLink?.link.note = note(element)
      case "post":
        flush()
        pendingLink = post(element)
      default: break
      }
    }
    flush()
  }

  private static func note(_ element: XMLElement) -> String {
    // Items of lists usually have no end tags.
    String(element.text(before: listElements, startingLinesAt: lineElements).prefix(maxNoteLength))
  }

  private static func link(
    _ element: XMLElement, folders: [String], _ list: inout ImportedList
  ) -> (String, ImportedLink)? {
    var address = ""
    var link = ImportedLink(url: "", title: title(element), tags: folders)
    for (name, value) in element.attributes {
      switch name.lowercased() {
      case "href": address = value
      case "add_date": link.date = DateText.parse(value)
      case "tags", "labels": link.tags += value.split(separator: ",").map(String.init)
      case "starred": link.isStarred = value == "1"
      // Pinboard: bookmarks without "to read" count as read.
      case "toread": link.isArchived = value == "0"
      case "feedurl":
        list.add(OPML.Outline(title: link.title.oneLine, feedURL: value, tags: folders))
        return nil
      default: break
      }
    }
    return (address, link)
  }

  /// Returns the text of a link. Its end tag may be missing.
  private static func title(_ element: XMLElement) -> String {
    element.text(maxNodes: maxNodes, before: itemElements)
  }

  /// The elements that begin another bookmark or its description.
  private static let itemElements: Set = ["a", "dt", "dd", "dl", "li"]

  /// The elements that end a description, and the elements within a description that start a new
  /// line.
  private static let listElements: Set = ["dt", "dd", "dl", "h3"]
  private static let lineElements: Set = ["br", "p", "div", "li", "blockquote", "hr", "pre", "tr"]

  /// Returns an entry of an export of Pinboard or Delicious as XML; nil if the entry has no
  /// address.
  private static func post(_ element: XMLElement) -> (String, ImportedLink)? {
    guard let address = element.attribute("href") else { return nil }
    return (
      address,
      ImportedLink(
        url: "", title: element.attribute("description") ?? "",
        tags: (element.attribute("tag") ?? "").split(separator: " ").map(String.init),
        date: element.attribute("time").flatMap { DateText.parse($0) },
        // Bookmarks without "to read" count as read, as in the other exports.
        isArchived: element.attribute("toread").map { $0.lowercased() == "no" } ?? false,
        note: element.attribute("extended") ?? "")
    )
  }

  /// Whether the folder is a root folder, which every browser has.
  private static func isRootFolder(_ element: XMLElement) -> Bool {
    element.attribute("personal_toolbar_folder") != nil
      || element.attribute("unfiled_bookmarks_folder") != nil
  }

  /// Reads the HTML export of Pocket or Instapaper: the headings are states and folders.
  static func readPocket(_ text: [UInt8], into list: inout ImportedList) {
    var folder = ""
    for element in XMLTree(text).elements {
      switch element.name {
      case "h1": folder = element.leadingText.oneLine
      case "a":
        let tags = element.attribute("tags")?.split(separator: ",").map(String.init) ?? []
        var link = ImportedLink(
          url: "", title: title(element), tags: tags,
          date: element.attribute("time_added").flatMap { DateText.parse($0) })
        link.apply(folder: folder)
        list.add(element.attribute("href") ?? "", link)
      default: break
      }
    }
  }
}
