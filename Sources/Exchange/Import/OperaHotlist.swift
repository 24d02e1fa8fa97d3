import DOM
import Feeds
import OfflineCache

/// Bookmarks of Opera before version 15 (`bookmarks.adr`): sections such as `#URL` with lines such
/// as `NAME=Title`. The section of a folder is followed by its content and a hyphen.
enum OperaHotlist {
  private struct Folder {
    var name: String
    /// Whether the folder, or one that contains it, contains bookmarks that the user deleted.
    var isInTrash: Bool
  }

  /// The maximum nesting depth of folders that become tags.
  private static let maxFolderDepth = 16

  /// Whether a text begins like such a file.
  static func matches(_ text: [UInt8]) -> Bool {
    text.drop { $0 <= 0x20 }.starts(with: "Opera Hotlist".utf8)
  }

  /// Adds the bookmarks to a list, except deleted ones; folders become tags.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var folders: [Folder] = []
    var section = ""
    var fields: [String: String] = [:]
    func finishSection() {
      if section == "#FOLDER" {
        let isInTrash = (folders.last?.isInTrash ?? false) || fields["TRASH FOLDER"] == "YES"
        folders.append(Folder(name: fields["NAME"] ?? "", isInTrash: isInTrash))
      } else if section == "#URL", !(folders.last?.isInTrash ?? false) {
        list.add(fields["URL"] ?? "", link(fields, in: folders.prefix(maxFolderDepth)))
      }
      (section, fields) = ("", [:])
    }
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.drop { $0 == 0x20 || $0 == 0x09 }
      if line.first == UInt8(ascii: "#") {
        finishSection()
        section = String(decoding: line, as: UTF8.self).oneLine
      } else if line.elementsEqual("-".utf8) {
        finishSection()
        _ = folders.popLast()
      } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: line[..<equals], as: UTF8.self)
        if fields[name] == nil {
          fields[name] = String(decoding: line[(equals + 1)...], as: UTF8.self)
        }
      }
    }
    finishSection()
  }

  private static func link(
    _ fields: [String: String], in folders: ArraySlice<Folder>
  ) -> ImportedLink {
    ImportedLink(
      url: "", title: fields["NAME"] ?? "", tags: folders.map(\.name),
      date: fields["CREATED"].flatMap { DateText.parse($0) },
      // Two control characters stand for a line break.
      note: (fields["DESCRIPTION"] ?? "").replacing("\u{2}\u{2}", with: "\n"))
  }
}
