import DOM
import Foundation

/// The JSON-LD of a page, as far as reader mode reads it (schema.org).
struct LinkedData {
  /// What a page says of its article.
  struct Article: Equatable {
    var title: String?, byline: String?, site: String?
    /// When it was published, made, and changed last.
    var date: String?, creation: String?, change: String?
    /// Who put it there, which need not be its author.
    var creator: String?
  }

  /// All objects, those of `@graph` too.
  private var objects: [[String: Any]] = []
  /// The names of the objects that others refer to by their `@id`.
  private var names: [String: String] = [:]

  private static let depthLimit = 8

  /// Reads the `script` elements of a page that hold JSON-LD. What is no JSON is left out.
  init(of tree: DOMTree) {
    for script in tree.structuredData
    where script.kind == .linkedData && Self.mayHoldArticle(tree.bytes, script.range) {
      let source = tree.bytes[script.range]
      if let value = Self.value(of: source) ?? Self.value(of: Self.mended(source)[...]) {
        add(value, depth: 0)
      }
    }
  }

  private static func value(of json: ArraySlice<UInt8>) -> Any? {
    json.isEmpty ? nil : try? JSONSerialization.jsonObject(with: Data(json))
  }

  /// Whether the name of a type of articles can stand in JSON; an escape can stand for any letter.
  private static func mayHoldArticle(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    MetadataVocabulary.articleWords.contains { bytes.contains($0, in: range) }
  }

  /// What was meant by something that is nearly JSON: without the comment or CDATA section around it,
  /// line breaks in strings and commas behind the last member.
  private static func mended(_ source: ArraySlice<UInt8>) -> [UInt8] {
    let (open, close) = (Array("{[".utf8), Array("]}".utf8))
    // `<![CDATA[` has brackets of its own.
    let wrapped = Array("<![CDATA[".utf8)
    var source = source
    if let place = source.prefix(64).firstRange(of: wrapped) {
      source = source[place.upperBound...]
    }
    if let place = source.suffix(64).firstRange(of: Array("]]>".utf8)) {
      source = source[..<place.lowerBound]
    }
    guard let first = source.firstIndex(where: open.contains),
      let last = source.lastIndex(where: close.contains), first < last
    else { return [] }
    var mended: [UInt8] = []
    mended.reserveCapacity(last - first + 1)
    var (isInString, isEscaped) = (false, false)
    // The place of the comma behind which nothing but white space has come, or -1.
    var comma = -1
    for byte in source[first...last] {
      if isInString {
        mended.append(byte < 0x20 ? 0x20 : byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      if close.contains(byte), comma >= 0 { mended[comma] = 0x20 }
      if byte == UInt8(ascii: ",") {
        comma = mended.count
      } else if !byte.isWhiteSpace {
        comma = -1
      }
      isInString = byte == UInt8(ascii: "\"")
      mended.append(byte)
    }
    return mended
  }

  private mutating func add(_ value: Any, depth: Int) {
    guard depth < Self.depthLimit else { return }
    if let list = value as? [Any] {
      for element in list { add(element, depth: depth + 1) }
    } else if let object = value as? [String: Any] {
      objects.append(object)
      if let id = object["@id"] as? String, names[id] == nil {
        names[id] = Self.text(object["name"])
      }
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
        !MetadataVocabulary.articleTypes.isDisjoint(with: Self.types(of: $0))
      })
    else { return nil }
    var article = Article()
    article.title = title(of: object, like: pageTitle)
    article.byline = names(object["author"])
    article.creator = names(object["creator"])
    article.site = names(object["publisher"]) ?? name(ofFirst: "WebSite")
    let pages = objects.filter { Self.types(of: $0).contains("WebPage") }
    article.date = Self.first(of: ["datePublished"], in: [object] + pages)
    article.creation = Self.first(of: ["dateCreated", "uploadDate"], in: [object] + pages)
    article.change = Self.first(of: ["dateModified"], in: [object] + pages)
    return article
  }

  /// The first text of some members, in the first object that has one.
  private static func first(of names: [String], in objects: [[String: Any]]) -> String? {
    for object in objects {
      for name in names {
        if let text = text(object[name]) { return text }
      }
    }
    return nil
  }

  private func name(ofFirst type: String) -> String? {
    objects.first { Self.types(of: $0).contains(type) }.flatMap { Self.text($0["name"]) }
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

  /// The names of a person, an organisation, or several: objects, references to objects, or the names
  /// themselves.
  private func names(_ value: Any?) -> String? {
    if let list = value as? [Any] { return BylineText.joined(list.compactMap { name($0) }) }
    return name(value)
  }

  private func name(_ value: Any?) -> String? {
    if let object = value as? [String: Any] {
      return Self.text(object["name"]) ?? (object["@id"] as? String).flatMap { names[$0] }
    }
    return Self.text(value).flatMap { names[$0] ?? ($0.isAddress ? nil : $0) }
  }

  /// A text on one line; many have been written for HTML.
  private static func text(_ value: Any?) -> String? {
    guard let text = (value as? String)?.withoutCharacterReferences.oneLine, !text.isEmpty else {
      return nil
    }
    return text
  }
}
