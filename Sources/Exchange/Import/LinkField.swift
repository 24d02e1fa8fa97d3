/// The meaning of a column or a JSON member of a list of links. It is recognized by the names that
/// other programs give it, which are all listed here.
enum LinkField: CaseIterable {
  case url, doi, title, tags, folder, date, note, archived, unread, starred

  /// Creates the field that a name denotes; nil if no field has this name.
  init?(_ name: String) {
    let key = name.lowercased().filter { $0.isLetter }
    guard let field = Self.fields[key] else { return nil }
    self = field
  }

  /// Returns the rank of a name for its field: of several columns of the same field, the one with
  /// the lowest rank applies.
  static func rank(of name: String) -> Int {
    let key = name.lowercased().filter { $0.isLetter }
    return fields[key].flatMap { $0.names.firstIndex(of: key) } ?? .max
  }

  /// The names reduced to letters, the best first.
  private var names: [String] {
    switch self {
    case .url:
      [
        "url", "pageurl", "givenurl", "originalurl", "uri", "link", "address", "href", "savedurl",
        "fullurl", "titleurl", "storypermalink", "articleurl",
      ]
    case .doi: ["doi"]
    case .title:
      [
        "customtitle", "title", "resolvedtitle", "giventitle", "savedtitle", "name", "titel",
        "titre", "título", "titolo", "fulltitle", "storytitle", "articletitle",
      ]
    case .tags:
      [
        "tags", "labels", "tag", "label", "keywords", "keyword", "tagnames", "documenttags",
        "manualtags", "automatictags", "usertags", "tagcache",
      ]
    case .folder: ["folder", "folders", "collection", "list"]
    case .date:
      [
        "timeadded", "timestamp", "savedat", "saved", "datesaved", "createdat", "created",
        "dateadded", "time", "dateunixtime", "date", "added", "addedat", "saveddate",
        "creationdate", "datum", "actiontimestamp", "timestampusec", "crawltimemsec",
        "createtime", "starreddate", "ts",
        // The times of visits in the history of a browser.
        "timeusec", "visitedon", "visitdate", "lastvisittime", "lastvisitdate",
        // Some programs record only the last change.
        "modified", "modifiedat", "updated",
      ]
    case .note:
      [
        "selection", "quote", "note", "notes", "extended", "excerpt", "annotation", "comment",
        "description", "annotations", "highlights",
      ]
    case .archived:
      ["status", "state", "isarchived", "archived", "archive", "read", "isread", "location"]
    case .unread: ["toread", "unread", "isunread"]
    case .starred:
      [
        "isstarred", "starred", "favorite", "isfavorite", "favorited", "favourite", "important",
        "marked",
      ]
    }
  }

  private static let fields: [String: LinkField] = {
    var fields: [String: LinkField] = [:]
    for field in allCases { for name in field.names { fields[name] = field } }
    return fields
  }()

  /// Whether a value means yes, or means that a page was archived or read.
  static func isAffirmative(_ word: String) -> Bool {
    switch word.lowercased() {
    case "1", "true", "yes", "archive", "archived", "read", "done": true
    default: false
    }
  }
}
