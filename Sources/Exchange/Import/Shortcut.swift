/// Files that contain the URL of one page: `.url` files of Windows and `.desktop` files.
enum Shortcut {
  private static let sections = ["[internetshortcut]", "[desktop entry]"]
  /// The maximum number of bytes that are parsed.
  private static let maxLength = 1 << 16

  /// Whether a text is a shortcut to a page.
  static func matches(_ text: [UInt8]) -> Bool { entries(text)["url"] != nil }

  /// Adds the URL and the title of a shortcut to a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    let values = entries(text)
    list.add(values["url"] ?? "", ImportedLink(url: "", title: values["name"] ?? ""))
  }

  /// Returns the first value of each key in the sections that describe a page. Keys are in lower
  /// case, without the options that KDE adds, such as `[$e]`, with which `$$` stands for `$`.
  private static func entries(_ text: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    var isWanted = false
    let lines = String(decoding: text.prefix(maxLength), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    for line in lines {
      if line.hasPrefix("[") {
        isWanted = sections.contains { line.lowercased().hasPrefix($0) }
      } else if isWanted, let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].lowercased().filter { $0 != " " }
        let options = name.firstRange(of: "[$").map { name[$0.lowerBound...] } ?? ""
        let key = String(name.dropLast(options.count))
        let value = String(line[line.index(after: equals)...].drop { $0 == " " })
        if values[key] == nil {
          values[key] = options.contains("e") ? value.replacing("$$", with: "$") : value
        }
      }
    }
    return values
  }
}
