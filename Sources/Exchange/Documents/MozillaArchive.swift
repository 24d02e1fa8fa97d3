package import Containers
import DOM
import Foundation
import OfflineCache

/// Pages in the Mozilla Archive Format (MAFF), a ZIP archive with a directory for each page, whose
/// `index.rdf` contains the URL and the date of the page.
package enum MozillaArchive {
  private static let descriptionName = "index.rdf"
  /// The maximum number of elements of a description that are examined.
  private static let maxElements = 200

  /// Returns the pages with web URLs, each with its resources, which have URLs relative to the
  /// page.
  /// - Parameter archive: The archive.
  /// - Returns: The pages; empty if the archive is in another format.
  package static func pages(in archive: ZIPArchive) -> [MIMEMessage] {
    let entries = archive.entries.filter { !$0.isDirectory }
    let directories = Dictionary(grouping: entries) { $0.path.prefix { $0 != "/" } }
    return entries.compactMap { entry -> MIMEMessage? in
      let directory = entry.path.prefix { $0 != "/" }
      guard entry.path == "\(directory)/\(descriptionName)" else { return nil }
      return page(in: directory, directories[directory] ?? [], of: archive)
    }
  }

  /// Returns the page in a directory; nil if its URL is unknown or the page cannot be read.
  private static func page(
    in directory: Substring, _ entries: [ZIPArchive.Entry], of archive: ZIPArchive
  ) -> MIMEMessage? {
    guard let description = try? archive.content(of: "\(directory)/\(descriptionName)") else {
      return nil
    }
    var values: [String: String] = [:]
    for element in XMLTree(description, maxNodes: maxElements).elements {
      if let value = element.attribute("rdf:resource"), values[element.name] == nil {
        values[element.name] = value
      }
    }
    let pageName = values["indexfilename"] ?? "index.html"
    guard let url = WebURL(values["originalurl"] ?? ""), url.isWeb,
      let page = try? archive.content(of: "\(directory)/\(pageName)")
    else { return nil }
    let type = FileMediaType.of(name: pageName, beginning: page)
    var parts = [(url: url.description, type: type, content: page)]
    for entry in entries {
      let name = String(entry.path.dropFirst(directory.count + 1))
      guard name != pageName, name != descriptionName,
        let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
        let resource = url.resolve(path), let content = try? archive.content(of: entry.path)
      else { continue }
      let type = FileMediaType.of(name: name, beginning: content)
      parts.append((url: resource.description, type: type, content: content))
    }
    return MIMEMessage(page: parts, date: values["archivetime"] ?? "")
  }
}
