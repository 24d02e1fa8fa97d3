import Containers
import Exchange
import Foundation
import OfflineCache
import WARC

/// Files that have captures of pages, or lists, in them.
extension LibraryImport {
  /// Takes what a file has in it: the records of a WACZ file, the page of an MHTML file under the addresses that
  /// it names, the lists and records in a ZIP archive.
  /// - Parameters:
  ///   - document: the file.
  ///   - tags: what the pages of lists get beside their own tags.
  /// - Returns: what came of it.
  /// - Throws: `ReaderError.unreadableFile`, `ArchiveError`.
  func take(_ document: DocumentFile, tags: [String]) throws -> Outcome {
    do {
      switch document.form {
      case .captures(let archive): return try takeRecords(of: archive, in: document, as: .wacz)
      case .message(let message): return try take(message, of: document)
      case .files(let archive): return try takeFiles(of: archive, in: document, tags: tags)
      case .book:
        throw ReaderError.unreadableFile(
          path: document.path, "is a book; it is read where it is: offread FILE")
      case .zim:
        throw ReaderError.unreadableFile(
          path: document.path,
          "is read where it is: offread FILE; files of [zim] in the settings are searched, too")
      }
    } catch let error as ContainerError {
      throw ReaderError.unreadableFile(path: document.path, error.description)
    }
  }

  /// Copies every file of records in an archive into the library, as it is.
  private func takeRecords(
    of archive: ZIPArchive, in document: DocumentFile, as format: ImportFormat
  ) throws -> Outcome {
    var outcome = Outcome(format: format)
    outcome.isKnown = true
    let place = try ArrivingFile(in: profile.locations.archive.path)
    guard let source = try files.openForReading(document.path) else {
      throw ReaderError.unreadableFile(path: document.path, "is not there")
    }
    for entry in archive.entries where Self.isRecords(entry) {
      let ending = entry.path.lowercased().hasSuffix(".gz") ? ".warc.gz" : ".warc"
      let taken: ArrivingFile.Outcome
      if entry.isStored {
        let range = try archive.range(of: entry)
        guard try isWARC(source, range) else {
          outcome.skipped += 1
          continue
        }
        taken = try place.take(source, range, as: nil, ending: ending)
      } else {
        // The checksum of what is in it gives the name, as the content is only seen once.
        let digits = String(entry.checksum, radix: 16)
        taken = try place.make("import-\(digits)-\(entry.size)\(ending)") { sink in
          try archive.read(entry, into: sink)
        }
      }
      if taken != .known { outcome.isKnown = false }
      outcome.pages += 1
    }
    guard outcome.pages > 0 else {
      throw ReaderError.unreadableFile(path: document.path, "has no records of pages in it")
    }
    try profile.cache.archive.catchUp()
    return outcome
  }

  private static func isRecords(_ entry: ZIPArchive.Entry) -> Bool {
    let path = entry.path.lowercased()
    return !entry.isFolder && (path.hasSuffix(".warc.gz") || path.hasSuffix(".warc"))
  }

  /// Makes captures of the parts of a message that have addresses of the web, dated by the file: when a browser
  /// has got them is not known; that they are no newer is.
  private func take(_ message: MIMEMessage, of document: DocumentFile) throws -> Outcome {
    var outcome = Outcome(format: .mhtml)
    outcome.isCut = message.isCut
    var digest = DigestBuilder(.sha256)
    var captures: [(url: WebURL, part: MIMEMessage.Part)] = []
    for (index, part) in message.parts.enumerated() {
      let address =
        part.location.isEmpty && index == message.root ? message.address : part.location
      guard let url = WebURL(address)?.withoutFragment.withoutCredentials, url.isWeb else {
        outcome.skipped += address.hasPrefix("cid:") ? 0 : 1
        continue
      }
      captures.append((url, part))
      digest.update("\(url)\n".utf8)
      digest.update(part.content)
    }
    guard !captures.isEmpty else {
      throw ReaderError.unreadableFile(
        path: document.path, "names no address of the web; it is read where it is: offread FILE")
    }
    outcome.pages = captures.count { $0.part.type.lowercased().hasPrefix("text/html") }
    let modified = try files.status(of: document.path)?.modified ?? 0
    let date = min(Date(timeIntervalSince1970: (Double(modified) / 1e9).rounded(.down)), now)
    let name = "import-\(ArrivingFile.name(of: digest.digest().bytes)).warc.gz"
    let writer = WARCWriter()
    outcome.isKnown =
      try ArrivingFile(in: profile.locations.archive.path).make(name) { sink in
        var head = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
        head.fields.append("WARC-Filename", name)
        let text =
          "software: offread\r\nformat: WARC File Format 1.1\r\n"
          + "description: parts of an MHTML file; dates are those of the file\r\n"
        try writer.write(head, block: Array(text.utf8), into: sink)
        for (url, part) in captures {
          let record = WARCRecord(
            .resource, date: date, targetURI: url.description,
            contentType: part.type.isEmpty ? "application/octet-stream" : part.type)
          try writer.write(record, block: part.content, into: sink)
        }
      } == .known
    try profile.cache.archive.catchUp()
    return outcome
  }

  /// A longer list is none, in bytes.
  private static let longestList: Int64 = 64 << 20

  /// Takes the lists in an archive, such as what services send who leaves them, or its records.
  private func takeFiles(
    of archive: ZIPArchive, in document: DocumentFile, tags: [String]
  ) throws -> Outcome {
    if archive.entries.contains(where: Self.isRecords) {
      return try takeRecords(of: archive, in: document, as: .zip)
    }
    var outcome: Outcome?
    for entry in archive.entries
    where !entry.isFolder && entry.size <= Self.longestList && Self.isList(entry.path) {
      guard let list = ImportedList(try archive.content(of: entry.path)) else { continue }
      let one = try take(list, tags: tags)
      outcome = outcome.map { $0.adding(one) } ?? one
    }
    guard let outcome else {
      throw ReaderError.unreadableFile(
        path: document.path,
        "has no list of pages and no records in it; offread FILE shows what it has")
    }
    return outcome
  }

  private static func isList(_ path: String) -> Bool {
    [".html", ".htm", ".csv", ".json", ".opml", ".txt", ".xml"].contains {
      path.lowercased().hasSuffix($0)
    }
  }
}

extension LibraryImport.Outcome {
  /// What came of two lists.
  fileprivate func adding(_ other: Self) -> Self {
    var sum = self
    sum.pages += other.pages
    sum.queued += other.queued
    sum.feeds += other.feeds
    sum.skipped += other.skipped
    return sum
  }
}
