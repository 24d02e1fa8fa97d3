/// Creates readable file names for exported pages that are valid on all file systems.
package struct ExportFileName: Sendable {
  private var usedNames: Set<String> = []
  private static let maxLength = 80

  package init() {}

  /// Returns a file name that was not returned before.
  /// - Parameters:
  ///   - title: The title of the page; the URL is used if it has no letters or digits.
  ///   - url: The URL of the page.
  ///   - fileExtension: The file extension, including its dot.
  /// - Returns: Letters, digits and hyphens, followed by `fileExtension`; about 90 bytes at most.
  package mutating func make(title: String, url: String, fileExtension: String) -> String {
    var stem = Self.slug(title)
    if stem.isEmpty { stem = Self.slug(url.split(separator: "://").last.map(String.init) ?? url) }
    // Reserved device names on Windows.
    let isDevice =
      ["con", "prn", "aux", "nul"].contains(stem)
      || stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
    if stem.isEmpty || isDevice { stem = "page" + (stem.isEmpty ? "" : "-" + stem) }
    var name = stem
    var number = 1
    while !usedNames.insert(name).inserted {
      number += 1
      name = "\(stem)-\(number)"
    }
    return name + fileExtension
  }

  /// Returns the letters and digits in lower case, with hyphens between words.
  private static func slug(_ text: String) -> String {
    var result = ""
    var length = 0
    var needsHyphen = false
    for character in text.lowercased() {
      guard character.isLetter || character.isNumber else {
        needsHyphen = !result.isEmpty
        continue
      }
      let size = character.utf8.count + (needsHyphen ? 1 : 0)
      guard length + size <= maxLength else { break }
      if needsHyphen { result.append("-") }
      needsHyphen = false
      result.append(character)
      length += size
    }
    return result
  }
}
