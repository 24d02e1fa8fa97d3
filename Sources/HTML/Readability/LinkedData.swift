import Foundation

/// The JSON-LD of a page, as far as reader mode reads it (schema.org).
struct LinkedData {
  /// What a page says of its article.
  struct Article: Equatable {
    var title: String?, byline: String?, site: String?, date: String?
    /// The text itself, or nil.
    var body: String?
  }

  /// All objects, those of `@graph` too.
  private var objects: [[String: Any]] = []

  private static let depthLimit = 8

  /// Reads the `script` elements of a page that hold JSON-LD. What is no JSON is left out.
  init(of tree: DOMTree) {
    for script in tree.structuredData
    where script.kind == .linkedData && Self.mayHoldArticle(tree.bytes, script.range) {
      let source = tree.bytes[script.range]
      if let value = try? JSONSerialization.jsonObject(with: Data(Self.json(source))) {
        add(value, depth: 0)
      }
    }
  }

  /// Whether the name of a type of articles can stand in JSON; an escape can stand for any letter.
  private static func mayHoldArticle(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    articleWords.contains { bytes.contains($0, in: range) }
  }

  /// What every type of articles has in its name, or an escape.
  private static let articleWords: [StaticString] = [
    "article", "posting", "report", "apireference", "\\u",
  ]

  /// Without the CDATA section that some put around it.
  private static func json(_ source: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var json = source.drop { $0.isWhiteSpace }
    guard json.starts(with: "<![CDATA[".utf8) else { return json }
    json = json.dropFirst("<![CDATA[".utf8.count)
    while json.last?.isWhiteSpace == true { json.removeLast() }
    return json.suffix(3).elementsEqual("]]>".utf8) ? json.dropLast(3) : json
  }

  private mutating func add(_ value: Any, depth: Int) {
    guard depth < Self.depthLimit else { return }
    if let list = value as? [Any] {
      for element in list { add(element, depth: depth + 1) }
    } else if let object = value as? [String: Any] {
      objects.append(object)
      if let graph = object["@graph"] { add(graph, depth: depth + 1) }
      if let entity = object["mainEntity"] ?? object["mainEntityOfPage"] {
        add(entity, depth: depth + 1)
      }
    }
  }

  /// The types that the page names, in the order of the objects ("Product", "NewsArticle").
  var types: [String] { objects.flatMap { Self.types(of: $0) } }

  private static func types(of object: [String: Any]) -> [String] {
    let value = object["@type"]
    return (value as? [String] ?? [value as? String].compactMap(\.self)).map {
      $0.split(separator: "/").last.map(String.init) ?? $0
    }
  }

  /// The article of the page.
  /// - Parameter pageTitle: Of a name and a headline that differ, the one that is like it is the
  ///   title.
  /// - Returns: What the page says of it; nil when it speaks of none.
  func article(like pageTitle: String) -> Article? {
    guard
      let object = objects.first(where: {
        !Self.articleTypes.isDisjoint(with: Self.types(of: $0))
      })
    else { return nil }
    var article = Article()
    article.title = title(of: object, like: pageTitle)
    article.byline = Self.names(object["author"])
    article.site = Self.names(object["publisher"])
    article.date = Self.text(object["datePublished"])
    article.body = (object["articleBody"] as? String) ?? (object["text"] as? String)
    return article
  }

  /// The name, unless only the headline is like the title of the page.
  private func title(of object: [String: Any], like pageTitle: String) -> String? {
    guard let name = Self.text(object["name"]), let headline = Self.text(object["headline"]) else {
      return Self.text(object["headline"]) ?? Self.text(object["name"])
    }
    let words = ComparableWords(pageTitle)
    let isHeadline = words.similarity(to: ComparableWords(headline)) > 0.75
    return isHeadline && words.similarity(to: ComparableWords(name)) <= 0.75 ? headline : name
  }

  /// The names of a person, an organisation, or several.
  private static func names(_ value: Any?) -> String? {
    if let list = value as? [Any] {
      let names = list.compactMap { Self.names($0) }
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    if let object = value as? [String: Any] { return text(object["name"]) }
    return nil
  }

  private static func text(_ value: Any?) -> String? {
    guard let text = (value as? String)?.oneLine, !text.isEmpty else { return nil }
    return text
  }

  static let articleTypes: Set<String> = [
    "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle",
    "AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle",
    "ReviewNewsArticle", "Report", "SatiricalArticle", "ScholarlyArticle",
    "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting", "LiveBlogPosting",
    "DiscussionForumPosting", "TechArticle", "APIReference",
  ]
}
