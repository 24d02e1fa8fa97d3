import DOM
import Feeds
import Foundation

/// Notes that Evernote exported (`.enex`). Those that were clipped from the web have the URL of
/// their page.
enum EvernoteFile {
  /// Reads the notes, with the texts of the pages.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    // A note without an end tag must not contain the following ones.
    for note in XMLTree(text, unnestableNames: ["note"]).elements where note.name == "note" {
      var link = ImportedLink(url: "")
      var address = ""
      for child in note.children {
        switch child.name {
        case "title": link.title = child.text
        case "tag": link.tags.append(child.text)
        case "created": link.date = DateText.parse(child.text)
        case "content": link.content = html(of: child.text)
        case "note-attributes":
          address = child.children.first { $0.name == "source-url" }?.text.oneLine ?? ""
        default: break
        }
      }
      list.add(address, link)
    }
  }

  /// Returns the HTML in the document of a note; empty if it is too short for the text of a page.
  private static func html(of note: String) -> String {
    let body = XMLTree(Array(note.utf8)).elements.first { $0.name == "en-note" }?.source ?? []
    return body.count >= LinkJSON.minContentLength ? String(decoding: body, as: UTF8.self) : ""
  }
}
