import DOM
import Feeds
import Foundation
import Document
import OfflineCache

/// Lists of pages as JSON: exports of Omnivore and wallabag, sessions of browsers, and any list of
/// objects with URLs.
enum LinkJSON {
  /// Detects the format by the first entry with a URL; returns nil if there is none.
  static func format(of text: [UInt8]) -> ListFormat? {
    let members = entries(values(text)).lazy.compactMap { entry -> [String: JSONValue]? in
      guard case .object(let members) = entry.value else { return nil }
      let hasAddress = address(members) != nil || !(messageURLs(members) ?? []).isEmpty
      return hasAddress ? members : nil
    }.first
    guard let members else { return nil }
    if members["savedAt"] != nil, members["slug"] != nil || members["labels"] != nil {
      return .omnivore
    }
    return members["is_archived"] != nil ? .wallabag : .json
  }

  /// Adds the pages in a JSON text to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    read(values(text), into: &list)
  }

  /// Adds the pages in JSON values to a list.
  static func read(_ values: [JSONValue], into list: inout ImportedList) {
    for entry in entries(values) {
      guard case .object(let members) = entry.value else { continue }
      if let feed = liveBookmark(members, folders: entry.folders) {
        list.add(feed)
        continue
      }
      guard let address = address(members) else {
        guard let urls = messageURLs(members) else {
          list.skip()
          continue
        }
        for url in urls { list.add(url, ImportedLink(url: "", date: link(members).date)) }
        continue
      }
      var link = link(members)
      link.tags = entry.folders + link.tags
      list.add(address, link)
    }
  }

  /// Returns the web URLs in a message of a chat: an object with a date and a text, which may be
  /// divided into parts, some of them links; nil for other objects. Slack writes links as
  /// `<URL|text>`, with `&amp;` for an ampersand.
  private static func messageURLs(_ members: [String: JSONValue]) -> [String]? {
    guard let message = members["text"] ?? members["content"],
      members.keys.contains(where: { LinkField($0) == .date })
    else { return nil }
    let texts: [String]
    switch message {
    case .string(let text): texts = [text]
    case .array(let parts): texts = parts.compactMap { ($0["href"] ?? $0["text"] ?? $0).string }
    case .null, .bool, .number, .object: texts = []
    }
    guard !texts.isEmpty else { return nil }
    var text = texts.joined(separator: " ")
    if text.contains("<http") {
      text = text.replacing("|", with: " ").replacing("&amp;", with: "&")
    }
    return TextURLs.all(in: text)
  }

  /// Returns the objects and arrays of a text: usually one, but one on each line in JSON Lines.
  private static func values(_ text: [UInt8]) -> [JSONValue] {
    var reader = JSONParser(text)
    var values: [JSONValue] = []
    while let value = reader.parseValue(depth: 0) {
      switch value {
      case .object, .array: values.append(value)
      case .null, .bool, .number, .string: break
      }
    }
    return values
  }

  /// An object of a list, with the names of the folders that contain it.
  private struct Entry {
    var value: JSONValue
    var folders: [String] = []
    /// Whether the object is an element of an array.
    var isElement = false
    /// Whether an object with a name contains the object.
    var isInNamedObject = false

    /// Returns an entry for a part of the value, in the same folders.
    func part(_ value: JSONValue, isElement: Bool = false) -> Entry {
      Entry(
        value: value, folders: folders, isElement: isElement, isInNamedObject: isInNamedObject)
    }

    /// Returns the entry within the object, whose name may be the name of a folder.
    func within(_ name: String?, isFolder: Bool) -> Entry {
      var entry = self
      if isFolder, let name {
        entry.folders = Array((folders + [name]).prefix(LinkJSON.maxFolderDepth))
      }
      entry.isInNamedObject = isInNamedObject || name != nil
      return entry
    }
  }

  /// The maximum nesting depth of folders that become tags.
  private static let maxFolderDepth = 16

  /// The members that contain a list of pages, or of objects that contain lists.
  private static let listNames = [
    "items", "list", "links", "bookmarks", "results", "articles", "data", "children", "lists",
    "cards", "collections", "folders", "sessions", "windows", "tabs", "sidebar", "containers",
    "stories", "chats", "messages",
  ]
  /// The names of lists in exports of Linkwarden, Toby and other programs. The object that contains
  /// such a list is a folder if it has a name and is an element of an array; the name of the whole
  /// export is not a folder.
  private static let namedListNames = ["links", "cards", "bookmarks"]

  /// Returns the objects of a list, which may be a member of an object and may contain others
  /// (`children`). In the bookmarks of Chromium and the backups of Firefox, folders contain other
  /// objects; in a tree of bookmarks without types, so do objects with children below the outermost
  /// ones, which are the root folders of a browser. A text with a scheme counts as an object with
  /// this URL.
  private static func entries(_ values: [JSONValue]) -> [Entry] {
    var pendingEntries = values.reversed().map { Entry(value: $0) }
    var entries: [Entry] = []
    while let entry = pendingEntries.popLast() {
      switch entry.value {
      case .array(let values):
        pendingEntries += values.reversed().map { entry.part($0, isElement: true) }
      case .string(let text) where text.contains("://"):
        entries.append(Entry(value: .object(["url": entry.value]), folders: entry.folders))
      case .object(let members):
        if let shownValue = shownEntry(members) {
          pendingEntries.append(Entry(value: shownValue, folders: entry.folders))
          continue
        }
        var lists = listNames.compactMap { members[$0] } + roots(members)
        if lists.isEmpty, !entry.isElement { lists = otherLists(members) }
        let isFolder =
          isFolder(members) || entry.isElement && isNamedList(members)
          || entry.isInNamedObject && members["children"] != nil
        let isLiveBookmark = annotation("livemark/feedURI", members) != nil
        if (lists.isEmpty && !isFolder) || ownAddress(members) != nil || isLiveBookmark {
          if let values = mappedObjects(members) {
            pendingEntries += values.reversed().map { Entry(value: $0, folders: entry.folders) }
          } else {
            entries.append(entry)
          }
        }
        guard ownAddress(members) == nil else { continue }
        let content = entry.within(folderName(members), isFolder: isFolder)
        pendingEntries += lists.reversed().map { content.part($0) }
      default: break
      }
    }
    return entries
  }

  /// Returns the lists of pages below other names, such as "Browser History", in an object that is
  /// not itself a page: arrays with an object that has an address, or of URLs of pages. Keywords of
  /// JSON-LD, such as `@context`, are not names.
  private static func otherLists(_ members: [String: JSONValue]) -> [JSONValue] {
    guard address(members) == nil else { return [] }
    let named = members.filter { !$0.key.hasPrefix("@") }
    return named.sorted { $0.key < $1.key }.map(\.value).filter { value in
      let elements = value.array
      return isListOfURLs(elements)
        || elements.contains { element in
          guard case .object(let members) = element else { return false }
          return address(members) != nil
        }
    }
  }

  /// Returns whether all elements of an array are URLs, at least half of them of pages. A list of
  /// pages may contain some images and internal pages of a browser.
  private static func isListOfURLs(_ elements: [JSONValue]) -> Bool {
    let urls = elements.compactMap(\.string).filter { $0.contains("://") }
    return !urls.isEmpty && urls.count == elements.count
      && urls.count(where: mayBePage) * 2 >= urls.count
  }

  /// Returns whether a text is a web URL whose path does not end like the URL of an image, a
  /// script, a style sheet, a font, audio or video, which are only parts of pages.
  private static func mayBePage(_ text: String) -> Bool {
    guard let url = WebURL(text), url.isWeb else { return false }
    guard let type = FileMediaType.byName(url.path) else { return true }
    let isPart = ["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix)
    return !isPart && !["text/css", "text/javascript"].contains(type)
  }

  /// Returns the page that a tab shows, as sessions of Firefox describe it: one of the entries of
  /// its history, which are counted from 1; nil for any other object.
  private static func shownEntry(_ members: [String: JSONValue]) -> JSONValue? {
    guard let entries = members["entries"]?.array, let last = entries.last,
      let number = members["index"]?.number, number >= 1
    else { return nil }
    return number <= Double(entries.count) ? entries[Int(number) - 1] : last
  }

  /// Returns the values of an object that maps identifiers to objects, as Pocket does, or URLs to
  /// objects, titles or dates; nil for any other object.
  private static func mappedObjects(_ members: [String: JSONValue]) -> [JSONValue]? {
    guard address(members) == nil, !members.isEmpty,
      members.values.allSatisfy(isObject) || members.keys.allSatisfy({ $0.contains("://") })
    else { return nil }
    // Numbers are in numeric order.
    let sorted = members.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    return sorted.map { withNameAsURL($0.value, $0.key) }
  }

  /// Returns an object with its name added as its URL, if the name is a URL and the object has no
  /// URL. Instead of an object, the value may be a title or a date.
  private static func withNameAsURL(_ value: JSONValue, _ name: String) -> JSONValue {
    guard name.contains("://") else { return value }
    var members: [String: JSONValue] = [:]
    switch value {
    case .object(let object): members = object
    case .string: members["title"] = value
    case .number: members["date"] = value
    case .array, .bool, .null: break
    }
    if address(members) == nil { members["url"] = .string(name) }
    return .object(members)
  }

  private static func isObject(_ value: JSONValue) -> Bool {
    if case .object = value { true } else { false }
  }

  /// Returns the root folders of Chromium without their names: `bookmark_bar`, `other`, `synced`,
  /// and those that Opera has in `custom_root`. The bookmarks that the user deleted are left out.
  private static func roots(_ members: [String: JSONValue]) -> [JSONValue] {
    guard case .object(let roots)? = members["roots"] else { return [] }
    return roots.filter { $0.key != "trash" }.sorted { $0.key < $1.key }.flatMap { root in
      root.value["children"].map { [$0] } ?? Self.roots(["roots": root.value])
    }
  }

  /// Returns the value of an annotation in a backup of Firefox; nil if the entry has none with this
  /// name.
  private static func annotation(_ name: String, _ members: [String: JSONValue]) -> String? {
    members["annos"]?.array.first { $0["name"]?.string == name }?["value"]?.string
  }

  /// Returns the feed of a live bookmark in a backup of Firefox; nil for other entries.
  private static func liveBookmark(
    _ members: [String: JSONValue], folders: [String]
  ) -> OPML.Outline? {
    annotation("livemark/feedURI", members).map {
      OPML.Outline(title: members["title"]?.string?.oneLine ?? "", feedURL: $0, tags: folders)
    }
  }

  /// Whether an object is a bookmark folder of a browser, possibly an empty one.
  private static func isFolder(_ members: [String: JSONValue]) -> Bool {
    members["type"]?.string == "folder" || members["type"]?.string == "text/x-moz-place-container"
  }

  private static func isNamedList(_ members: [String: JSONValue]) -> Bool {
    namedListNames.contains { !(members[$0]?.array.isEmpty ?? true) }
  }

  /// Returns the name of a folder; nil for the root folders that every browser has.
  private static func folderName(_ members: [String: JSONValue]) -> String? {
    guard members["root"] == nil, members["guid"]?.string?.hasSuffix("____") != true else {
      return nil
    }
    let name = (members["title"] ?? members["name"])?.string?.oneLine ?? ""
    return name.isEmpty ? nil : name
  }

  /// Returns the address of an object: its own address, or else the first address in the lists of
  /// Google Reader, or else the address that its DOI leads to; nil if there is none.
  private static func address(_ members: [String: JSONValue]) -> String? {
    if let address = ownAddress(members) { return address }
    let references = ["canonical", "alternate"].lazy.compactMap { members[$0]?.array.first }
    if let reference = references.compactMap({ $0["href"]?.string }).first { return reference }
    let doi = (members["DOI"] ?? members["doi"])?.string.map(Reference.address(ofDOI:)) ?? ""
    return doi.isEmpty ? nil : doi
  }

  /// The names of the member with the address.
  private static let addressNames = [
    "fullUrl", "url", "URL", "given_url", "originalUrl", "link", "href", "uri", "savedURL",
    "canonicalUrl", "titleUrl", "story_permalink", "article__url",
  ]

  /// Returns the address of an object, or else the address of its member `content`, as in exports
  /// of Karakeep; nil if there is none.
  private static func ownAddress(_ members: [String: JSONValue]) -> String? {
    for name in addressNames {
      if let text = members[name]?.string, !text.isEmpty, !text.hasPrefix(placeholderAddress) {
        return text
      }
    }
    return members["content"]?["url"]?.string
  }

  /// The start of the addresses that Omnivore gives to mails and files, which have none.
  private static let placeholderAddress = "https://omnivore.app/no_url?"

  private static func link(_ members: [String: JSONValue]) -> ImportedLink {
    var link = ImportedLink(url: "")
    // Sorted, so that the choice among members of the same field is deterministic.
    let ranked = members.map { (rank: LinkField.rank(of: $0.key), name: $0.key, value: $0.value) }
    for (_, name, value) in ranked.sorted(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }) {
      switch LinkField(name) {
      case .title: if link.title.isEmpty { link.title = value.string ?? "" }
      case .tags: link.tags += tags(value)
      case .folder: link.tags += tags(value)
      case .date: link.date = link.date ?? date(value)
      case .note: link.add(note: value.string ?? "")
      case .archived: link.isArchived = link.isArchived || isTruthy(value)
      case .unread: link.isArchived = link.isArchived || !isTruthy(value)
      case .starred: link.isStarred = link.isStarred || isTruthy(value)
      case .url, .doi, nil: break
      }
    }
    // The descriptions in backups of Firefox, and in the bookmarks of Vivaldi.
    link.add(note: annotation("bookmarkProperties/description", members) ?? "")
    link.add(note: members["meta_info"]?["Description"]?.string ?? "")
    link.tags += members["categories"]?.array.compactMap { $0.string.flatMap(label) } ?? []
    // Pinboard's member for the title is "description".
    if link.title.isEmpty, members["extended"] != nil {
      link.title = members["description"]?.string ?? ""
      link.note = members["extended"]?.string ?? ""
    }
    addAnnotations(members, to: &link)
    link.content = content(members)
    if link.content.isEmpty, let text = members["markdown"]?.string {
      link.content = MarkdownNote.html(
        of: Array(text.utf8)[...], titled: link.title.oneLine, url: address(members) ?? "")
    }
    if members["savedAt"] != nil, let slug = members["slug"]?.string, !slug.contains("/") {
      link.contentPath = "content/\(slug).html"
      link.highlightsPath = "highlights/\(slug).md"
    }
    return link
  }

  private static func addAnnotations(_ members: [String: JSONValue], to link: inout ImportedLink) {
    for annotation in ["annotations", "highlights"].flatMap({ members[$0]?.array ?? [] }) {
      link.add(note: text(ofAnnotation: annotation))
    }
    if let targets = members["target"]?.array, !targets.isEmpty {
      if link.title.isEmpty {
        link.title = members["document"]?["title"]?.array.first?.string ?? ""
      }
      link.add(note: annotationText(quotes(in: targets) + [members["text"]?.string ?? ""]))
    }
  }

  /// Returns the tag in a category of the format of Google Reader, such as `user/1/label/Tag`; nil
  /// for other categories.
  private static func label(_ category: String) -> String? {
    let parts = category.split(separator: "/", maxSplits: 3)
    return parts.count == 4 && parts[0] == "user" && parts[2] == "label" ? String(parts[3]) : nil
  }

  /// Returns the passage that the user marked, and the note on it: `quote` and `text` in exports of
  /// wallabag, `content` or `text` and `note` in others.
  private static func text(ofAnnotation value: JSONValue) -> String {
    let quote = value["quote"] ?? value["content"]
    let parts =
      quote == nil
      ? [value["text"] ?? value, value["note"]] : [quote, value["note"] ?? value["text"]]
    return annotationText(parts.compactMap { $0?.string })
  }

  private static func annotationText(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// Returns the passages that the targets of an annotation quote (Web Annotation Data Model
  /// §4.2.4), as in exports of Hypothesis.
  private static func quotes(in targets: [JSONValue]) -> [String] {
    targets.flatMap { $0["selector"]?.array ?? [] }.compactMap { $0["exact"]?.string }
  }

  /// The minimum length in bytes of the text of a page. Shorter ones are summaries, or messages
  /// that the program could not fetch the page.
  static let minContentLength = 500

  /// Returns the text of a page as HTML, in exports of wallabag and Google Reader; empty if there
  /// is none.
  private static func content(_ members: [String: JSONValue]) -> String {
    let texts = [
      members["content"]?.string, members["content"]?["content"]?.string,
      members["summary"]?["content"]?.string, members["content_html"]?.string,
      members["story_content"]?.string,
    ]
    let text = texts.compactMap(\.self).max { $0.utf8.count < $1.utf8.count } ?? ""
    return text.utf8.count >= minContentLength && text.contains("</") ? text : ""
  }

  /// Parses a date from text or from a number of microseconds, which browsers write: Firefox since
  /// 1970, Chromium since 1601. Nil if the value is not a date.
  private static func date(_ value: JSONValue) -> Date? {
    guard let number = value.number, number.isFinite, number >= 1e14 else {
      return value.string.flatMap { DateText.parse($0) }
    }
    let seconds = number / 1e6
    return Date(timeIntervalSince1970: number < 1e16 ? seconds : seconds - secondsFrom1601To1970)
  }

  private static let secondsFrom1601To1970 = 11_644_473_600.0

  private static func isTruthy(_ value: JSONValue) -> Bool {
    value.bool ?? value.string.map(LinkField.isAffirmative) ?? false
  }

  /// Returns tags from an array of strings, from objects with a name, from an object that maps tags
  /// to objects (Pocket), from the nodes of a graph (Omnivore), or from a string separated by
  /// commas or spaces.
  private static func tags(_ value: JSONValue) -> [String] {
    switch value {
    case .array(let values):
      // Feedly has tags such as `user/1/tag/global.saved` for states.
      values.filter { $0["id"]?.string?.contains("/tag/global.") != true }.compactMap {
        $0.string ?? ($0["name"] ?? $0["label"] ?? $0["title"])?.string
      }
    case .object(let members):
      if members.values.allSatisfy(isObject) {
        members.keys.sorted()
      } else if let nodes = members["nodes"]?.array {
        nodes.compactMap { ($0["name"] ?? $0["label"] ?? $0["title"])?.string }
      } else {
        [(members["title"] ?? members["name"])?.string].compactMap(\.self)
      }
    case .string(let text):
      text.split { text.contains(",") ? $0 == "," : $0 == " " }.map(String.init)
    default: []
    }
  }
}
