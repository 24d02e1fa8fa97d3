import Foundation

/// The next part of an article in several parts: the address of the page with the next number.
///
/// No words are looked at, so it works in every language and never takes the next article of a site
/// for the next part of this one.
struct NextPage {
  /// An address without the number of its part.
  fileprivate struct Part: Equatable {
    var rest: String
    var number: Int
  }

  /// How many links are looked at.
  private static let limit = 2000

  /// The address of the part after the one at `url`, if the page links to it.
  /// - Parameters:
  ///   - tree: the page.
  ///   - url: its address.
  /// - Returns: the reference as the page has it, or nil.
  static func reference(in tree: DOMTree, url: String) -> String? {
    guard var search = Search(url) else { return nil }
    var node = tree.next(0, in: 0)
    while node >= 0, !search.isOver {
      let name = tree.nodes[Int(node)].name
      if name == .a || name == .link, let range = tree.attribute(.href, of: node),
        tree.bytes[range].contains(where: \.isDigit)
      {
        let reference = SpecialText.line(tree.bytes[range])
        if search.isNext(reference) { return reference }
      }
      node = tree.next(node, in: 0)
    }
    return nil
  }

  /// Looks at references one by one, some thousand of them.
  struct Search {
    private let base: URL
    private let own: Part
    /// The number of the next part in digits.
    private let number: [UInt8]
    private var looked = 0

    /// Begins at a page; nil when its address has no host.
    init?(_ url: String) {
      guard let base = URL(string: url), let own = part(of: base) else { return nil }
      (self.base, self.own) = (base, own)
      number = Array(String(own.number + 1).utf8)
    }

    /// Whether enough was looked at.
    var isOver: Bool { looked >= limit }

    /// Whether a reference leads to the next part.
    mutating func isNext(_ reference: String) -> Bool {
      guard mayBeNext(Array(reference.utf8)[...]) else { return false }
      looked += 1
      guard let target = URL(string: reference, relativeTo: base)?.absoluteURL,
        target.host == base.host, let next = part(of: target)
      else { return false }
      return next == Part(rest: own.rest, number: own.number + 1)
    }

    /// Whether the number stands in a reference, leading zeros aside, or an escape, which may be one.
    private func mayBeNext(_ reference: ArraySlice<UInt8>) -> Bool {
      var rest = reference
      while let first = rest.firstIndex(where: \.isDigit) {
        let digits = rest[first...].prefix(while: \.isDigit)
        if digits.drop(while: { $0 == 0x30 }).elementsEqual(number) { return true }
        rest = rest[digits.endIndex...]
      }
      return reference.contains(UInt8(ascii: "%"))
    }
  }

  /// Splits an address: `/a/text?page=2`, `/a/text/2`, `/a/text-2.html` and `/a/text/page/2/` are the
  /// second part of `/a/text`. Without a number it is the first one.
  private static func part(of url: URL) -> Part? {
    guard let host = url.host else { return nil }
    var path = url.path
    while path.hasSuffix("/") { path.removeLast() }
    var query = (url.query ?? "").split(separator: "&").map(String.init)
    for (index, pair) in query.enumerated() {
      let names = pair.split(separator: "=", maxSplits: 1)
      guard names.count == 2, parameters.contains(names[0].lowercased()),
        let number = partNumber(names[1])
      else { continue }
      query.remove(at: index)
      return Part(rest: host + path + "?" + query.joined(separator: "&"), number: number)
    }
    let rest = "?" + query.joined(separator: "&")
    var end = ""
    if let dot = path.lastIndex(of: "."), path[dot...].count <= 6, !path[dot...].contains("/") {
      end = String(path[dot...])
      path.removeSubrange(dot...)
    }
    let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }.count
    let mark = path.dropLast(digits).last
    guard digits > 0, let number = partNumber(path.suffix(digits)), let mark, "/-_,".contains(mark)
    else { return Part(rest: host + path + end + rest, number: 1) }
    path.removeLast(digits + 1)
    for word in ["/page", "/p", "-page", "_page"] where path.hasSuffix(word) {
      path.removeLast(word.count)
      break
    }
    return Part(rest: host + path + end + rest, number: number)
  }

  private static let parameters: Set<String> = ["page", "p", "pg", "pagenum", "part", "seite", "s"]

  /// The number of a part: more than 200 are none.
  private static func partNumber(_ text: Substring) -> Int? {
    Int(text).flatMap { (1...200).contains($0) ? $0 : nil }
  }
}

extension Document {
  /// The reference to the next part of what the page is a part of.
  /// - Parameter url: the address of the page.
  /// - Returns: the reference as the page has it, or nil.
  package func nextPart(of url: String) -> String? {
    guard var search = NextPage.Search(url) else { return nil }
    for link in links where link.target.utf8.contains(where: { (0x30...0x39).contains($0) }) {
      if search.isNext(link.target) { return link.target }
      if search.isOver { break }
    }
    return nil
  }
}
