import Pages
import Containers
import DOM
import Document
import Formats
import Exchange
import OfflineCache

/// The pages of a book: its table of contents and its parts.
struct BookPages {
  let file: DocumentFile
  let package: EPUBPackage
  let archive: ZIPArchive

  let locations: BookLocations

  private var title: String { locations.list.title }

  private func parts(at index: Int?) -> PartList {
    var list = locations.list
    list.index = index
    return list
  }

  private func name(_ index: Int) -> String { locations.list.parts[index].title }

  /// Returns the item at a path in the book.
  /// - Parameter inner: the path; empty for the table of contents.
  /// - Returns: the item.
  /// - Throws: `ContainerError`.
  func item(at inner: String) throws(ContainerError) -> DocumentFile.Item {
    guard !inner.isEmpty else {
      var item = Self.item(markup: contents)
      item.parts = parts(at: nil)
      if archive.isRecovered { item.notices = [DocumentFile.recoveryNotice] }
      return item
    }
    let asked = inner
    let inner = locations[asked] == nil ? path(matching: asked) : asked
    guard let index = locations[inner] else {
      return DocumentFile.Item(
        bytes: try archive.content(of: inner), type: MediaType(forFileName: inner))
    }
    let part = package.parts[index]
    let parts = parts(at: index)
    var item: DocumentFile.Item
    do throws(ContainerError) {
      item = try self.item(of: part, at: inner, index)
    } catch {
      // A page shows the error, so that the other parts stay readable.
      item = explanation(of: "the book " + error.description, part, index)
    }
    if inner != asked { item.url = file.url(of: inner) }
    item.parts = parts
    item.frame = parts.frame
    return item
  }

  private func item(
    of part: EPUBPackage.Part, at path: String, _ index: Int
  ) throws(ContainerError) -> DocumentFile.Item {
    if let problem = part.problem { return explanation(of: problem.message, part, index) }
    if try isImage(part) {
      let url = Markup.escaped(file.url(of: part.path).text)
      let name = Markup.escapedLine(name(index))
      return Self.item(
        markup: "<!DOCTYPE html><title>\(name)</title><body>"
          + "<p><img src=\"\(url)\" alt=\"\(name)\"></p></body>")
    }
    let (bytes, notices) = try content(of: path)
    var item = DocumentFile.Item(bytes: bytes, type: MediaType(part.mediaType), notices: notices)
    if let images = ImagePage(item.bytes, isXML: item.type.essence != "text/html") {
      return Self.item(markup: markup(of: images, at: path, index))
    }
    item.styleSheet = LinkedStyleSheets(in: item.bytes).content(of: archive, at: path)
    return item
  }

  /// Returns the content of a part. If its checksum is wrong, the content is returned with a
  /// notice, because most of its text is usually intact.
  private func content(
    of path: String
  ) throws(ContainerError) -> (bytes: [UInt8], notices: [String]) {
    do throws(ContainerError) {
      return (try archive.content(of: path), [])
    } catch {
      guard case .wrongChecksum = error else { throw error }
      let notice = "the checksum of this part is wrong: its text may be damaged"
      return (try archive.content(of: path, verified: false), [notice])
    }
  }

  /// Returns the path, as spelled in the archive, of the file to which a path refers. If there is
  /// no such file, returns the path of the only file with the same name, because links of some
  /// books have a wrong directory.
  private func path(matching asked: String) -> String {
    let path = archive.path(matching: asked)
    guard archive[path] == nil, let name = asked.split(separator: "/").last else { return path }
    let named = archive.entries.filter { $0.path.split(separator: "/").last == name }
    return named.count == 1 ? named[0].path : path
  }

  /// Returns whether a part is an image. An SVG file that contains text or other images is a page.
  private func isImage(_ part: EPUBPackage.Part) throws(ContainerError) -> Bool {
    guard part.isSVG else { return part.mediaType.hasPrefix("image/") }
    let tree = XMLTree(try archive.content(of: part.path, verified: false), maxNodes: 50_000)
    return !tree.elements.contains { ["text", "image", "foreignobject"].contains($0.name) }
  }

  private func markup(of page: ImagePage, at path: String, _ index: Int) -> String {
    let images = page.sources.compactMap { source in
      ContainedPath.resolve(source, from: path).map { archive.path(matching: $0) }
    }
    return "<!DOCTYPE html><title>\(Markup.escapedLine(name(index)))</title><body>"
      + images.map { "<p><img src=\"\(Markup.escaped(file.url(of: $0).text))\" alt=\"image\"></p>" }
      .joined() + "</body>"
  }

  private static func item(markup: String) -> DocumentFile.Item {
    DocumentFile.Item(bytes: Array(markup.utf8), type: MediaType("text/html; charset=utf-8"))
  }

  /// Returns a page that explains why a part cannot be read.
  private func explanation(
    of problem: String, _ part: EPUBPackage.Part, _ index: Int
  ) -> DocumentFile.Item {
    let name = Markup.escapedLine(name(index))
    var item = Self.item(
      markup: "<!DOCTYPE html><title>\(name)</title><body><h1>\(name)</h1>"
        + "<p>This part cannot be read: \(Markup.escapedLine(problem)).</p>"
        + "<p>Its file is <code>\(Markup.escapedLine(part.path))</code>.</p></body>")
    item.problem = problem
    return item
  }

  /// The HTML of the table of contents.
  private var contents: String {
    let language =
      package.language.isEmpty ? "" : " lang=\"\(Markup.escapedLine(package.language))\""
    var html =
      "<!DOCTYPE html><html\(language)><title>\(Markup.escapedLine(title))</title><body><main>"
    html += "<h1>\(Markup.escapedLine(title))</h1>"
    if !package.subtitle.isEmpty { html += "<p>\(Markup.escapedLine(package.subtitle))</p>" }
    if !package.creators.isEmpty {
      html += "<p>\(Markup.escapedLine(package.creators.joined(separator: ", ")))</p>"
    }
    if !package.series.isEmpty { html += "<p>\(Markup.escapedLine(package.series))</p>" }
    // The date of many books has a time, or is only a year. Programs write the years 0 and 101 if
    // there is no date.
    let date =
      package.date.prefixMatch(of: /(\d{4}-\d\d-\d\d)T\d/).map { String($0.1) } ?? package.date
    if !date.isEmpty, !date.hasPrefix("0000"), !date.hasPrefix("0101-") {
      html += "<p>\(Markup.escapedLine(date))</p>"
    }
    if package.description.contains(where: { !$0.isWhitespace }) {
      let description = TextMarkup.html(ofDescription: package.description)
      html += "<blockquote>\(description)</blockquote>"
    }
    if let cover = package.cover {
      html += "<p><img src=\"\(Markup.escaped(file.url(of: cover).text))\" alt=\"Cover\"></p>"
    }
    let list = parts(at: nil).parts
    let first = list[package.bodyStart].url
    html += "<p><a href=\"\(Markup.escaped(first.text))\">Start reading</a></p>"
    html += "<h2>Contents</h2>" + entries(list)
    let unread = package.parts.enumerated().compactMap { index, part in
      part.problem.map { (index, part, $0) }
    }
    if !unread.isEmpty {
      html += "<h2>Parts that cannot be read</h2><ul>"
      for (index, part, problem) in unread {
        html += "<li>\(Markup.escapedLine(name(index))): \(Markup.escapedLine(problem.message)) "
        html += "(<code>\(Markup.escapedLine(part.path))</code>)"
      }
      html += "</ul>"
    }
    return html + "</main></body>"
  }

  private func entries(_ list: [PartList.Part]) -> String {
    guard package.contents.contains(where: { !$0.path.isEmpty }) else {
      let items = list.map {
        "<li><a href=\"\(Markup.escaped($0.url.text))\">\(Markup.escapedLine($0.title))</a>"
      }
      return "<ul>" + items.joined() + "</ul>"
    }
    var html = ""
    var level = -1
    for entry in package.contents {
      while level < entry.level {
        html += "<ul>"
        level += 1
      }
      while level > entry.level {
        html += "</ul>"
        level -= 1
      }
      html += "<li>"
      if entry.path.isEmpty {
        html += Markup.escapedLine(entry.title)
      } else {
        let location = entry.fragment.isEmpty ? "" : "#" + entry.fragment
        let url = Markup.escaped(file.url(of: entry.path).appending(fragment: location).text)
        html += "<a href=\"\(url)\">\(Markup.escapedLine(entry.title))</a>"
      }
    }
    return html + String(repeating: "</ul>", count: level + 1)
  }
}

extension EPUBPackage.Problem {
  /// The reason why the part cannot be read, as a clause.
  fileprivate var message: String {
    switch self {
    case .missing: "the book has no such file"
    case .outsideBook: "its path leads out of the book"
    case .drmProtected: "it is protected by DRM"
    case .unsupportedType(""): "it is not a page"
    case .unsupportedType(let type): "it is \(type), not a page"
    }
  }
}
