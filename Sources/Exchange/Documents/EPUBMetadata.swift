import DOM

/// The metadata of a book (EPUB 3.3 §5.5, OPF 2.0.1 §2.2).
struct EPUBMetadata {
  /// The date of publication as written, or empty.
  private(set) var date = ""
  private(set) var language = ""
  /// The titles, with their ids.
  private var titles: [(id: String, text: String)] = []
  /// The creators, with their ids, and their roles in EPUB 2.
  private var creatorRecords: [(id: String, name: String, role: String)] = []
  /// The types of titles (`title-type`) by the ids of the titles.
  private var titleTypes: [String: String] = [:]
  /// The roles of creators in EPUB 3 by the ids of the creators.
  private var roles: [String: String] = [:]

  private static let maxTitles = 20, maxCreators = 20, maxRefinements = 100

  /// The main title: the one that is marked as such, or the first one that has no other type.
  var title: String {
    let mainTitle =
      titles.first { titleTypes[$0.id] == "main" } ?? titles.first { titleTypes[$0.id] == nil }
    return (mainTitle ?? titles.first)?.text ?? ""
  }

  /// The subtitle, or empty.
  var subtitle: String {
    let title = title
    return titles.first { titleTypes[$0.id] == "subtitle" && $0.text != title }?.text ?? ""
  }

  /// The authors, followed by the other creators with their roles. Programs that made the file are
  /// left out.
  var creators: [String] {
    var (authors, otherCreators): ([String], [String]) = ([], [])
    for person in creatorRecords {
      switch person.role.isEmpty ? roles[person.id] ?? "" : person.role {
      case "", "aut": authors.append(person.name)
      case "bkp": continue
      case let role:
        otherCreators.append(person.name + (Self.roleNames[role].map { " (\($0))" } ?? ""))
      }
    }
    return authors + otherCreators
  }

  /// The names of roles by their codes (MARC relators).
  private static let roleNames = [
    "art": "artist", "com": "compiler", "edt": "editor", "ill": "illustrator",
    "nrt": "narrator", "pht": "photographer", "trl": "translator",
  ]

  /// Adds an element of the package document, which may be of any kind.
  mutating func add(_ element: XMLElement) {
    switch element.name {
    case "title" where element.prefix == "dc" && titles.count < Self.maxTitles:
      let text = EPUBFiles.line(element)
      if !text.isEmpty { titles.append((element.attribute("id") ?? "", text)) }
    case "creator" where creatorRecords.count < Self.maxCreators:
      let name = EPUBFiles.line(element)
      let role = element.attribute("opf:role") ?? element.attribute("role") ?? ""
      if !name.isEmpty {
        creatorRecords.append((element.attribute("id") ?? "", name, role.lowercased()))
      }
    case "date" where date.isEmpty && element.prefix == "dc":
      let event = element.attribute("opf:event")?.lowercased() ?? "publication"
      if event.hasSuffix("publication") { date = EPUBFiles.line(element) }
    case "language" where language.isEmpty: language = EPUBFiles.line(element)
    case "meta": refine(element)
    default: break
    }
  }

  /// Adds a `meta` element that refines another element (EPUB 3.3 §5.5.5).
  private mutating func refine(_ meta: XMLElement) {
    let id = String((meta.attribute("refines") ?? "").drop { $0 == "#" })
    guard !id.isEmpty else { return }
    switch meta.attribute("property") {
    case "title-type" where titleTypes.count < Self.maxRefinements:
      titleTypes[id] = EPUBFiles.line(meta).lowercased()
    case "role" where roles.count < Self.maxRefinements && roles[id] == nil:
      roles[id] = EPUBFiles.line(meta).lowercased()
    default: break
    }
  }
}
