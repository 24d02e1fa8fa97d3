import DOM
import Dates
import Foundation

/// The JSON-LD of a page (schema.org), as needed for reader view.
struct LinkedData {
  /// The metadata of an article.
  struct Article: Equatable {
    var title: String?, byline: String?, site: String?
    /// Whether all authors are organizations; the page may name a person.
    var isByOrganization = false
    /// The dates of publication, creation and last change, as written in the data; nil if missing.
    var date: String?, creation: String?, change: String?
    /// The creator of the page, who need not be the author; nil if missing.
    var creator: String?
  }

  /// The objects at the top level, in `@graph` and in `mainEntity` or `mainEntityOfPage`.
  private var objects: [[String: Any]] = []
  /// The names of objects by their `@id`, for objects that refer to them.
  private var namesByID: [String: String] = [:]

  private static let maxDepth = 8

  /// Returns a date that a page shows; nil if an event in the data has this date.
  func dateOfPage(_ date: WrittenDate?, order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    guard let date else { return nil }
    for object in objects where Self.types(of: object).contains(where: { $0.hasSuffix("Event") }) {
      for member in ["startDate", "endDate", "doorTime"] {
        if let other = DateLine.parseDeclared(Self.text(object[member]), order: order),
          (other.year, other.month, other.day) == (date.year, date.month, date.day)
        {
          return nil
        }
      }
    }
    return date
  }

  /// Parses the `script` elements of a page that contain JSON-LD. Invalid JSON is ignored.
  init(of tree: DOMTree) {
    for script in tree.structuredData
    where script.kind == .linkedData && Self.mayContainDates(tree.bytes, script.range) {
      let source = tree.bytes[script.range]
      if let value = Self.value(of: source) ?? Self.value(of: JSONRepair.repaired(source)[...]) {
        add(value, depth: 0)
      }
    }
  }

  private static func value(of json: ArraySlice<UInt8>) -> Any? {
    json.isEmpty ? nil : try? JSONSerialization.jsonObject(with: Data(json))
  }

  /// Whether the JSON may contain the name of an article type or of an event. A Unicode escape may
  /// stand for any letter.
  private static func mayContainDates(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.contains("event", in: range)
      || MetadataVocabulary.articleTypeHints.contains { bytes.contains($0, in: range) }
  }

  private mutating func add(_ value: Any, depth: Int) {
    guard depth < Self.maxDepth else { return }
    if let list = value as? [Any] {
      for element in list { add(element, depth: depth + 1) }
    } else if let object = value as? [String: Any] {
      objects.append(object)
      if let id = object["@id"] as? String, namesByID[id] == nil {
        namesByID[id] = Self.text(object["name"])
      }
      if let graph = object["@graph"] { add(graph, depth: depth + 1) }
      if let entity = object["mainEntity"] ?? object["mainEntityOfPage"] {
        add(entity, depth: depth + 1)
      }
    }
  }

  /// The `@type` values of `objects` in document order, such as "Product" and "NewsArticle".
  var types: [String] { objects.flatMap { Self.types(of: $0) } }

  private static func types(of object: [String: Any]) -> [String] {
    let value = object["@type"]
    return (value as? [String] ?? [value as? String].compactMap(\.self)).map {
      $0.split { "/#:".contains($0) }.last.map(String.init) ?? $0
    }
  }

  /// Returns the metadata of an article object: of the first whose title is that of the page, else
  /// of the first one. Others may be related articles. Without articles, returns authors and dates
  /// of another work that has the title of the page, such as a recipe; nil if there is none. The
  /// title also decides between `name` and `headline` if they differ.
  func article(similarTo pageTitle: String) -> Article? {
    let articles = objects.filter {
      !MetadataVocabulary.articleTypes.isDisjoint(with: Self.types(of: $0))
    }
    guard let first = articles.first else {
      let works = objects.filter {
        !MetadataVocabulary.workTypes.isDisjoint(with: Self.types(of: $0))
      }
      guard !works.isEmpty else { return nil }
      let title = ComparableText(pageTitle)
      return works.first { Self.isTitled($0, title) }.map { authorsAndDates(of: $0) }
    }
    var object = first
    if articles.count > 1 {
      let title = ComparableText(pageTitle)
      object = articles.first { Self.isTitled($0, title) } ?? first
    }
    var article = authorsAndDates(of: object)
    article.title = title(of: object, similarTo: pageTitle)
    article.site =
      name(object["publisher"]) ?? names(object["publisher"]) ?? name(ofFirst: "WebSite")
    return article
  }

  private func authorsAndDates(of object: [String: Any]) -> Article {
    var article = Article()
    article.byline = names(object["author"])
    article.isByOrganization = Self.areOrganizations(object["author"])
    article.creator = names(object["creator"])
    let pages = objects.filter { Self.types(of: $0).contains("WebPage") }
    article.date = Self.firstText(of: ["datePublished"], in: [object] + pages)
    article.creation = Self.firstText(of: ["dateCreated", "uploadDate"], in: [object] + pages)
    article.change = Self.firstText(of: ["dateModified"], in: [object] + pages)
    return article
  }

  /// Whether the headline or the name of an object is similar to the title of the page.
  private static func isTitled(_ object: [String: Any], _ pageTitle: ComparableText) -> Bool {
    [object["headline"], object["name"]].contains {
      text($0).map { pageTitle.similarity(to: ComparableText($0)) > 0.75 } ?? false
    }
  }

  /// Returns the first non-empty text of the named members, in the first object that has one; nil
  /// if there is none.
  private static func firstText(of names: [String], in objects: [[String: Any]]) -> String? {
    for object in objects {
      for name in names {
        if let text = text(object[name]) ?? (object[name] as? Int).map(String.init) { return text }
      }
    }
    return nil
  }

  private func name(ofFirst type: String) -> String? {
    objects.first { Self.types(of: $0).contains(type) }.flatMap { Self.text($0["name"]) }
  }

  /// Returns the `name`, or the `headline` if it is similar to the title of the page and the `name`
  /// is not, or if there is no `name`; nil if there is neither.
  private func title(of object: [String: Any], similarTo pageTitle: String) -> String? {
    guard let name = Self.text(object["name"]), let headline = Self.text(object["headline"]) else {
      return Self.text(object["headline"]) ?? Self.text(object["name"])
    }
    let text = ComparableText(pageTitle)
    let isHeadline = text.similarity(to: ComparableText(headline)) > 0.75
    return isHeadline && text.similarity(to: ComparableText(name)) <= 0.75 ? headline : name
  }

  /// Returns the names of persons or organizations, which may be given as objects, as references to
  /// objects, or as plain text; nil if there are none.
  private func names(_ value: Any?) -> String? {
    // An ordered list (JSON-LD 1.1 §4.3.1).
    let value = (value as? [String: Any])?["@list"] ?? value
    let list = value as? [Any] ?? [value].compactMap(\.self)
    return BylineText.joined(list.compactMap { name($0) })
  }

  private static func areOrganizations(_ value: Any?) -> Bool {
    let list = value as? [Any] ?? [value].compactMap(\.self)
    return !list.isEmpty
      && list.allSatisfy { element in
        let types = (element as? [String: Any]).map { Self.types(of: $0) } ?? []
        return types.contains { $0.hasSuffix("Organization") || $0 == "Corporation" }
      }
  }

  private func name(_ value: Any?) -> String? {
    if let object = value as? [String: Any] {
      if let list = object["name"] as? [Any], list.count > 1 { return names(list) }
      let name = Self.text(object["name"]).flatMap { $0.isURL ? nil : $0.withoutTags }
      return name ?? Self.givenAndFamilyName(of: object)
        ?? (object["@id"] as? String).flatMap { namesByID[$0] }
    }
    return Self.text(value).flatMap { namesByID[$0] ?? ($0.isURL ? nil : $0.withoutTags) }
  }

  private static func givenAndFamilyName(of object: [String: Any]) -> String? {
    let parts = [object["givenName"], object["familyName"]].compactMap { text($0) }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns a text as one line, with HTML character references decoded; nil if it is empty. Of an
  /// array, the first element counts; of a value object (JSON-LD 1.1 §4.2.1), its `@value`.
  private static func text(_ value: Any?) -> String? {
    let first = (value as? [Any])?.first ?? value
    let content = (first as? [String: Any])?["@value"] ?? first
    guard let text = (content as? String)?.withoutCharacterReferences.oneLine, !text.isEmpty else {
      return nil
    }
    return text
  }
}
