/// Names of files for exported pages: readable, and fit for every file system.
package struct ExportFileName: Sendable {
  private var taken: Set<String> = []
  private static let longest = 80

  /// No name is taken.
  package init() {}

  /// A name that was not given before.
  /// - Parameters:
  ///   - title: the title of the page; where it has no letters the URL is taken.
  ///   - url: the URL of the page.
  ///   - ending: what comes behind, with its dot.
  /// - Returns: letters, digits and hyphens, at most 90 bytes.
  package mutating func make(title: String, url: String, ending: String) -> String {
    var stem = Self.words(title)
    if stem.isEmpty { stem = Self.words(url.split(separator: "://").last.map(String.init) ?? url) }
    // Names that Windows has devices under.
    let isDevice =
      ["con", "prn", "aux", "nul"].contains(stem)
      || stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
    if stem.isEmpty || isDevice { stem = "page" + (stem.isEmpty ? "" : "-" + stem) }
    var name = stem
    var number = 1
    while !taken.insert(name).inserted {
      number += 1
      name = "\(stem)-\(number)"
    }
    return name + ending
  }

  /// Letters and digits in lower case, with hyphens between the words.
  private static func words(_ text: String) -> String {
    var result = ""
    var length = 0
    var needsHyphen = false
    for character in text.lowercased() {
      guard character.isLetter || character.isNumber else {
        needsHyphen = !result.isEmpty
        continue
      }
      let size = character.utf8.count + (needsHyphen ? 1 : 0)
      guard length + size <= longest else { break }
      if needsHyphen { result.append("-") }
      needsHyphen = false
      result.append(character)
      length += size
    }
    return result
  }
}
