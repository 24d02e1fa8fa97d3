import Profiles
import Pages
import ArgumentParser
import DOM
import Document
import Exchange
import Feeds
import Formats
import Foundation
import Library
import OfflineCache
import Platform
import Session
import WARC

/// Export of pages as files in Markdown or HTML.
extension ExportCommand {
  /// Writes each page into a file of its own.
  /// - Returns: the number of pages that are missing or could not be written.
  func writeFiles(_ pages: [String], _ profile: Profile) throws -> Int {
    let isDirectory = try makeOutputDirectory(for: pages)
    var missingCount = 0
    var names = ExportFileName()
    let keys = Self.keys(of: pages, in: profile)
    let files =
      format == .html && isDirectory && pages.count > 1 ? try linkedFiles(pages, profile) : nil
    for url in pages {
      // Pages without a name could not be read, which was reported.
      if let files, files.name(of: url) == nil {
        missingCount += 1
        continue
      }
      var rendering: (bytes: [UInt8], title: String)?
      _ = try withPage(url, of: keys, in: profile) { page in
        let bytes =
          format == .html
          ? Self.html(page, url, files, profile) : try Self.markdown(page, url, profile)
        rendering = (bytes, page.document.title)
      }
      guard let (bytes, title) = rendering else {
        missingCount += 1
        continue
      }
      let name =
        files?.name(of: url)
        ?? names.make(title: title, url: url, fileExtension: format.fileExtension ?? "")
      let path = output.map { isDirectory ? "\($0)/\(name)" : $0 }
      do {
        var file = try ContentOutput(path: path)
        try file.write(bytes)
        try file.finish()
      } catch let error as StandardOutput.WriteError where isDirectory {
        // The other pages can still be written.
        StandardOutput.printError("\(ContentOutput.displayName(of: path)): \(error.message)")
        missingCount += 1
      }
    }
    return missingCount
  }

  /// Creates the output directory for several pages if nothing is there.
  /// - Returns: whether the output is a directory.
  /// - Throws: `StandardOutput.WriteError`, or an exit code if the output is a file.
  private func makeOutputDirectory(for pages: [String]) throws -> Bool {
    guard let output else { return false }
    var status = stat()
    let exists = output.withPath { stat($0, &status) } == 0
    let isDirectory = exists && status.st_mode & S_IFMT == S_IFDIR
    guard pages.count > 1 else { return isDirectory }
    if !exists {
      let error = CommandLauncher.current?.makeOutputDirectory(output) ?? ECHILD
      guard error == 0 else {
        throw StandardOutput.WriteError(message: LocalFile.message(for: error))
      }
    } else if !isDirectory {
      StandardOutput.printError(
        "several pages can be exported only to a directory; \(LocalFile.displayName(output)) is a file"
      )
      throw ExitCode(1)
    }
    return true
  }

  /// Determines the names of the files of pages and the IDs in them, for the links between the
  /// pages. Pages that cannot be read are left out.
  private func linkedFiles(_ pages: [String], _ profile: Profile) throws -> LinkedFiles {
    var names = ExportFileName()
    var files = LinkedFiles()
    let keys = Self.keys(of: pages, in: profile)
    for url in pages {
      _ = try withPage(url, of: keys, in: profile) { page in
        let name = names.make(
          title: page.document.title, url: url, fileExtension: format.fileExtension ?? "")
        files.add(url, name: name, ids: FragmentIDs(page.document))
      }
    }
    for (url, target) in try redirects(to: pages, in: profile) { files.add(url, like: target) }
    return files
  }

  static func frontMatter(
    _ page: Page, _ url: String, _ profile: Profile
  ) throws(ArchiveError) -> FrontMatter {
    let known = try profile.library.page(profile.cache.key(of: url) ?? url)
    var matter = FrontMatter(page.document, url: url)
    matter.savedDate = page.provenance.contentDate
    matter.tags = try profile.library.tags(of: known)
    matter.isArchived = known.isArchived
    matter.note = known.note
    matter.highlights = known.highlights
    return matter
  }

  private static func markdown(
    _ page: Page, _ url: String, _ profile: Profile
  ) throws(ArchiveError) -> [UInt8] {
    try frontMatter(page, url, profile).markdown(page.document, page.document.exportTargets)
  }

  /// Returns a page as HTML with embedded images.
  /// - Parameters:
  ///   - page: The page.
  ///   - url: The URL by which the page was chosen.
  ///   - files: The files of all pages of the export; nil if only this page is exported.
  ///   - profile: The profile with the images.
  /// - Returns: The bytes of the file.
  private static func html(
    _ page: Page, _ url: String, _ files: LinkedFiles?, _ profile: Profile
  ) -> [UInt8] {
    let document = page.document.withTitle(else: url)
    let images = images(of: document, in: profile)
    var targets = document.htmlTargets(url: page.url, ids: FragmentIDs(document))
    if let files {
      let single = targets.linkURL
      targets.linkURL = { index in
        guard let link = single(index), !link.hasPrefix("#") else { return single(index) }
        return document.url(ofLink: index).flatMap(files.reference(to:)) ?? link
      }
    }
    targets.imageURL = { index in
      (document.embeddedURL(ofImage: index).flatMap { DataURL.bytes(of: $0) }
        ?? document.url(ofImage: index).flatMap { images[$0] })
        .flatMap(DataURL.image)
    }
    let date = page.provenance.contentDate.map { date in
      WARCDate.text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
    }
    let origin = url.isWebURL ? PageSource(url: SafeText.line(url), date: date) : nil
    return document.semanticHTML(targets, isSelfContained: true, origin: origin)
  }
}

/// The files of pages that are exported together.
private struct LinkedFiles: Sendable {
  private struct File: Sendable {
    var name: String
    var ids: FragmentIDs
  }

  /// The files by the cache keys of their pages.
  private var filesByKey: [String: File] = [:]

  private static func key(_ url: String) -> String { CacheKey.make(url) ?? url }

  /// Adds the file of a page.
  mutating func add(_ url: String, name: String, ids: FragmentIDs) {
    filesByKey[Self.key(url)] = File(name: name, ids: ids)
  }

  /// Adds a URL that leads to the same page as `target`, whose file must have been added before.
  mutating func add(_ url: String, like target: String) {
    guard let file = filesByKey[Self.key(target)], filesByKey[Self.key(url)] == nil else { return }
    filesByKey[Self.key(url)] = file
  }

  /// Returns the name of the file of a page; nil if the page could not be read.
  func name(of url: String) -> String? { filesByKey[Self.key(url)]?.name }

  /// Returns the relative URL of the file of a page, with the ID to which the fragment leads; nil
  /// if the page is not exported.
  func reference(to url: String) -> String? {
    guard let file = filesByKey[Self.key(url)] else { return nil }
    let name = file.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.name
    guard let id = FragmentIDs.fragment(of: url).flatMap(file.ids.id(of:)) else { return name }
    return name + "#" + id
  }
}

extension Document {
  /// Returns the document, with `title` as its title if it has none.
  fileprivate func withTitle(else title: String) -> Document {
    guard self.title.isEmpty else { return self }
    var document = self
    document.title = SafeText.line(title)
    return document
  }
}
