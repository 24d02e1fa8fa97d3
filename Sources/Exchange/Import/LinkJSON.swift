import DOM
import Feeds
import Foundation
import Document

/// Lists of pages as JSON: those of Omnivore and wallabag, and any list of objects with addresses.
enum LinkJSON {
  /// Tells the format by the first entry that has an address; nil when none has.
  static func format(of text: [UInt8]) -> ImportFormat? {
    guard let json = JSONValue(text) else { return nil }
    let members = entries(json).lazy.compactMap { entry -> [String: JSONValue]? in
      guard case .object(let members) = entry, address(members) != nil else { return nil }
      return members
    }.first
    guard let members else { return nil }
    if members["savedAt"] != nil, members["slug"] != nil || members["labels"] != nil {
      return .omnivore
    }
    return members["is_archived"] != nil ? .wallabag : .json
  }

  /// Reads a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    guard let json = JSONValue(text) else { return }
    for entry in entries(json) {
      guard case .object(let members) = entry, let address = address(members) else {
        list.skip()
        continue
      }
      list.add(address, link(members))
    }
  }

  /// The objects of a list, which may be in a member of an object and may hold others (`children`).
  private static func entries(_ json: JSONValue) -> [JSONValue] {
    var open = [json]
    var entries: [JSONValue] = []
    while let value = open.popLast() {
      switch value {
      case .array(let values): open += values.reversed()
      case .object(let members):
        let lists = [
          "items", "list", "links", "bookmarks", "results", "articles", "data", "children",
        ]
        .compactMap { members[$0] }
        if lists.isEmpty || address(members) != nil { entries.append(value) }
        if address(members) == nil { open += lists.reversed() }
      default: break
      }
    }
    return entries
  }

  private static func address(_ members: [String: JSONValue]) -> String? {
    for name in ["url", "given_url", "originalUrl", "link", "href", "uri"] {
      if let text = members[name]?.string, !text.isEmpty { return text }
    }
    return nil
  }

  private static func link(_ members: [String: JSONValue]) -> ImportedLink {
    var link = ImportedLink(url: "")
    // Of several that say the same, in the order of their names.
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch LinkField(name) {
      case .title: if link.title.isEmpty { link.title = value.string ?? "" }
      case .tags: link.tags += tags(value)
      case .folder: link.tags += tags(value)
      case .date: link.date = link.date ?? value.string.flatMap { DateText.parse($0) }
      case .note: if link.note.isEmpty { link.note = value.string ?? "" }
      case .archived: link.isArchived = link.isArchived || isSet(value)
      case .unread: link.isArchived = !isSet(value)
      case .starred: link.isStarred = link.isStarred || isSet(value)
      case .url, nil: break
      }
    }
    // Pinboard calls the title a description.
    if link.title.isEmpty, members["extended"] != nil {
      link.title = members["description"]?.string ?? ""
      link.note = members["extended"]?.string ?? ""
    }
    for annotation in members["annotations"]?.array ?? [] {
      let parts = [annotation["quote"]?.string, annotation["text"]?.string]
      let text = parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
      if !text.isEmpty { link.note += (link.note.isEmpty ? "" : "\n") + text }
    }
    return link
  }

  private static func isSet(_ value: JSONValue) -> Bool {
    value.bool ?? value.string.map(LinkField.isSet) ?? false
  }

  /// Strings, objects with a name, or one string with commas or spaces between.
  private static func tags(_ value: JSONValue) -> [String] {
    switch value {
    case .array(let values):
      values.compactMap { $0.string ?? ($0["name"] ?? $0["label"] ?? $0["title"])?.string }
    case .object: [(value["title"] ?? value["name"])?.string].compactMap(\.self)
    case .string(let text):
      text.split { text.contains(",") ? $0 == "," : $0 == " " }.map(String.init)
    default: []
    }
  }
}
