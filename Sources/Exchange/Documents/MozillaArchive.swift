package import Containers
import DOM
import Foundation
import OfflineCache

/// Pages in the Mozilla Archive Format (MAFF), a ZIP archive with a directory for each page, whose
/// `index.rdf` contains the URL and the date of the page; also a page in a ZIP archive of
/// SingleFile, whose `manifest.json` contains them.
package struct MozillaArchive {
  /// The pages with web URLs, each with its resources, which have URLs relative to the page; empty
  /// if the archive is in another format.
  package private(set) var pages: [MIMEMessage] = []
  /// The reasons why other pages cannot be used, each a clause that continues a sentence beginning
  /// with the name of the archive.
  package private(set) var omittedPages: [String] = []

  private static let descriptionName = "index.rdf", manifestName = "manifest.json"
  /// The maximum number of elements of a description that are examined.
  private static let maxElements = 200

  /// Reads the pages of an archive.
  package init(_ archive: ZIPArchive) {
    let entries = archive.entries.filter { !$0.isDirectory }
    let directories = Dictionary(grouping: entries) { $0.path.prefix { $0 != "/" } }
    for entry in entries {
      let components = entry.path.split(separator: "/")
      guard components.count <= 2, let name = components.last.map(String.init) else { continue }
      let isAtTop = components.count == 1
      guard name == Self.manifestName || name == Self.descriptionName && !isAtTop else { continue }
      do throws(ContainerError) {
        try addPage(
          below: isAtTop ? "" : "\(components[0])/", describedBy: name,
          isAtTop ? entries : directories[components[0]] ?? [], of: archive)
      } catch {
        omittedPages.append(error.description)
      }
    }
  }

  /// Returns the values in a description by their names in lower case.
  private static func values(in description: [UInt8], isJSON: Bool) -> [String: String] {
    var values: [String: String] = [:]
    if isJSON {
      guard case .object(let members)? = JSONValue(description), members["originalUrl"] != nil
      else { return [:] }
      for (name, value) in members { values[name.lowercased()] = value.string }
      return values
    }
    for element in XMLTree(description, maxNodes: maxElements).elements {
      if let value = element.attribute("rdf:resource"), values[element.name] == nil {
        values[element.name] = value
      }
    }
    return values
  }

  /// Adds the page in a directory. A directory whose description is in another format is ignored.
  /// - Throws: `ContainerError` if the description or the page cannot be read.
  private mutating func addPage(
    below directory: String, describedBy descriptionName: String, _ entries: [ZIPArchive.Entry],
    of archive: ZIPArchive
  ) throws(ContainerError) {
    let values = Self.values(
      in: try archive.content(of: directory + descriptionName),
      isJSON: descriptionName == Self.manifestName)
    guard !values.isEmpty else { return }
    let pageName = values["indexfilename"] ?? "index.html"
    let pagePath = directory + pageName
    guard let url = WebURL(values["originalurl"] ?? ""), url.isWeb else {
      omittedPages.append("has \(pagePath), which has no web URL")
      return
    }
    let page = try archive.content(of: pagePath)
    let type = FileMediaType.of(name: pageName, beginning: page)
    var parts = [(url: url.description, type: type, content: page)]
    var omittedParts: [String] = []
    for entry in entries {
      let name = String(entry.path.dropFirst(directory.count))
      guard name != pageName, name != descriptionName,
        let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
        let resource = url.resolve(path)
      else { continue }
      do throws(ContainerError) {
        let content = try archive.content(of: entry.path)
        let type = FileMediaType.of(name: name, beginning: content)
        parts.append((url: resource.description, type: type, content: content))
      } catch {
        omittedParts.append(error.description)
      }
    }
    pages.append(
      MIMEMessage(page: parts, date: values["archivetime"] ?? "", omittedParts: omittedParts))
  }
}
