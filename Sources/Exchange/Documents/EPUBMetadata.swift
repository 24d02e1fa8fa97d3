import DOM

/// The metadata of a book (EPUB 3.3 §5.5, OPF 2.0.1 §2.2).
struct EPUBMetadata {
  /// The date of publication as written, or empty.
  private(set) var date = ""
  private(set) var language = ""
  /// The description, as plain text or HTML, or empty.
  private(set) var description = ""
  /// The titles, with their ids.
  private var titles: [(id: String, text: String)] = []
  /// The creators and contributors, with their ids, and their roles in EPUB 2.
  private var creatorRecords: [(id: String, name: String, role: String, isContributor: Bool)] = []
  /// The types of titles (`title-type`) by the ids of the titles.
  private var titleTypes: [String: String] = [:]
  /// The roles of creators in EPUB 3 by the ids of the creators.
  private var roles: [String: String] = [:]

  /// The series as written by Calibre in EPUB 2, with the position in it; empty if there is none.
  private var calibreSeries = (name: "", position: "")
  /// The collections the book belongs to, with their ids.
  private var collections: [(id: String, name: String)] = []
  /// The positions in collections, and the types of collections, by the ids of the collections.
  private var positions: [String: String] = [:]
  private var collectionTypes: [String: String] = [:]

  private static let maxTitles = 20, maxCreators = 20, maxRefinements = 100
  private static let maxDescriptionNodes = 1000

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

  /// The authors, followed by the other creators with their roles. Programs that made the file and
  /// contributors without a known role are left out.
  var creators: [String] {
    var (authors, otherCreators): ([String], [String]) = ([], [])
    for person in creatorRecords {
      let role = person.role.isEmpty ? roles[person.id] ?? "" : person.role
      if person.isContributor, Self.roleNames[role] == nil { continue }
      switch role {
      case "", "aut":
        if !authors.contains(person.name) { authors.append(person.name) }
      case "bkp": continue
      case let role:
        otherCreators.append(person.name + (Self.roleNames[role].map { " (\($0))" } ?? ""))
      }
    }
    return authors + otherCreators
  }

  /// The series with the position in it, such as `Discworld 20`, or empty.
  var series: String {
    var (name, position) = calibreSeries
    if let collection = collections.first(where: { collectionTypes[$0.id] ?? "series" == "series" })
    {
      (name, position) = (collection.name, positions[collection.id] ?? "")
    }
    if position.hasSuffix(".0") { position.removeLast(2) }
    return name.isEmpty || position.isEmpty ? name : "\(name) \(position)"
  }

  /// The names of roles by their codes (MARC relators).
  private static let roleNames = [
    "art": "artist", "com": "compiler", "edt": "editor", "ill": "illustrator",
    "nrt": "narrator", "pht": "photographer", "trl": "translator",
  ]

  /// Adds an element of the package document, which may be of any kind.
  mutating func add(_ element: XMLElement) {
    switch element.name {
    case "title" where Self.isDublinCore(element) && titles.count < Self.maxTitles:
      // Titles and names that are escaped twice are common, and never intentional.
      let text = EPUBFiles.line(element).withoutCharacterReferences
      if !text.isEmpty { titles.append((element.attribute("id") ?? "", text)) }
    case "creator", "contributor":
      guard creatorRecords.count < Self.maxCreators else { return }
      let name = EPUBFiles.line(element).withoutCharacterReferences
      let role = Self.attribute("role", of: element) ?? ""
      if !name.isEmpty {
        creatorRecords.append(
          (
            element.attribute("id") ?? "", name, role.lowercased(), element.name == "contributor"
          ))
      }
    case "date" where date.isEmpty && Self.isDublinCore(element):
      let event = Self.attribute("event", of: element)?.lowercased() ?? "publication"
      if event.hasSuffix("publication") { date = EPUBFiles.line(element) }
    case "language" where language.isEmpty: language = EPUBFiles.line(element)
    case "description" where description.isEmpty && Self.isDublinCore(element):
      let text = element.text(maxNodes: Self.maxDescriptionNodes)
      description = text.contains("&lt;/") ? text.withoutCharacterReferences : text
    case "meta": refine(element)
    default: break
    }
  }

  /// Returns whether an element describes the book. Some programs write another prefix than `dc`,
  /// or none.
  private static func isDublinCore(_ element: XMLElement) -> Bool {
    element.prefix == "dc" || ["metadata", "dc-metadata"].contains(element.parent?.name)
  }

  /// Returns the value of the first attribute with a local name in lower case. Some programs write
  /// another prefix than `opf`, or none.
  private static func attribute(_ localName: String, of element: XMLElement) -> String? {
    element.attributes.first { $0.name.split(separator: ":").last?.lowercased() == localName }?
      .value
  }

  /// Adds a `meta` element: a series, or a property that refines another element (EPUB 3.3 §5.5.5).
  private mutating func refine(_ meta: XMLElement) {
    switch meta.attribute("name") {
    case "calibre:series": calibreSeries.name = meta.attribute("content")?.oneLine ?? ""
    case "calibre:series_index": calibreSeries.position = meta.attribute("content")?.oneLine ?? ""
    default: break
    }
    let property = meta.attribute("property")
    if property == "belongs-to-collection", collections.count < Self.maxTitles {
      let name = EPUBFiles.line(meta)
      if !name.isEmpty { collections.append((meta.attribute("id") ?? "", name)) }
    }
    let id = String((meta.attribute("refines") ?? "").drop { $0 == "#" })
    guard !id.isEmpty, titleTypes.count < Self.maxRefinements,
      positions.count < Self.maxRefinements,
      collectionTypes.count < Self.maxRefinements
    else { return }
    switch property {
    case "title-type": titleTypes[id] = EPUBFiles.line(meta).lowercased()
    case "group-position": positions[id] = EPUBFiles.line(meta)
    case "collection-type": collectionTypes[id] = EPUBFiles.line(meta).lowercased()
    case "role" where roles.count < Self.maxRefinements && roles[id] == nil:
      roles[id] = EPUBFiles.line(meta).lowercased()
    default: break
    }
  }
}
