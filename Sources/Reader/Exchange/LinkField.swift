/// What a column of a table, or a member of an object, says of a page, by the names that programs give
/// it. This is the table of all of them.
enum LinkField: CaseIterable {
  case url, title, tags, folder, date, note, archived, unread, starred

  /// The field that a name stands for, or nil.
  init?(_ name: String) {
    let key = name.lowercased().filter { $0.isLetter }
    guard let field = Self.fields[key] else { return nil }
    self = field
  }

  /// The names without anything but letters; the first ones of each are those of the services that
  /// are named in `ImportFormat`.
  private var names: [String] {
    switch self {
    case .url: ["url", "givenurl", "originalurl", "link", "href", "uri", "address", "pageurl"]
    case .title: ["title", "resolvedtitle", "giventitle", "name"]
    case .tags: ["tags", "labels", "tag", "label", "keywords"]
    case .folder: ["folder", "folders", "collection", "list"]
    case .date:
      [
        "timeadded", "timestamp", "savedat", "createdat", "created", "dateadded", "time", "date",
        "added", "addedat", "saveddate",
      ]
    case .note:
      ["selection", "note", "notes", "extended", "excerpt", "annotation", "comment", "description"]
    case .archived: ["status", "state", "isarchived", "archived", "read", "isread", "location"]
    case .unread: ["toread", "unread", "isunread"]
    case .starred: ["isstarred", "starred", "favorite", "isfavorite", "favourite", "important"]
    }
  }

  private static let fields: [String: LinkField] = {
    var fields: [String: LinkField] = [:]
    for field in allCases { for name in field.names { fields[name] = field } }
    return fields
  }()

  /// Whether a word says yes, or that a page was put away or read.
  static func isSet(_ word: String) -> Bool {
    switch word.lowercased() {
    case "1", "true", "yes", "archive", "archived", "read", "done": true
    default: false
    }
  }
}
