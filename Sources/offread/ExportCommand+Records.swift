import Pages
import Library
import Saving
import ArgumentParser
import Document
import Exchange
import Feeds
import Foundation
import OfflineCache
import Profiles

/// Export of saved responses as WARC, or as WACZ with an index and a list of pages.
extension ExportCommand {
  private static let maxRedirects = 20
  /// Maximum length of a rendering that is read, in bytes.
  private static let maxRenderedLength: Int64 = 20 << 20
  /// Number of bytes that are collected before they are written.
  private static let pieceLength = 1 << 18

  /// The saved responses for a page, in the order of its redirects.
  private struct SavedResponses {
    /// The redirects and the final response.
    var steps: [StoredResponse] = []
    /// The page in reader view; nil if it cannot be read.
    var page: Page?
  }

  private static func responses(_ url: String, in profile: Profile) throws -> SavedResponses? {
    var replies = SavedResponses()
    var address: String? = url
    for _ in 0..<maxRedirects {
      guard let next = address, let key = profile.cache.key(of: next),
        let stored = try profile.cache.versions(of: key).first(where: \.isGood)?.response
      else { break }
      replies.steps.append(stored)
      guard stored.isRedirect else { break }
      let base = WebURL(key)
      address = stored.response.fields["Location"].flatMap { target in
        base.flatMap { WebURL.resolve(target, against: $0.description) }
      }
    }
    let found = PageWatch.process(profile.cache.key(of: url) ?? url) { Self.page(url, in: profile) }
    guard let page = found ?? nil else { return replies.steps.isEmpty ? nil : replies }
    replies.page = page
    return replies
  }

  private static func images(
    _ page: Page, in profile: Profile
  ) throws -> [StoredResponse] {
    try page.document.images.indices.compactMap { image in
      guard let url = page.document.url(ofImage: image), let key = profile.cache.key(of: url) else {
        return nil
      }
      return try profile.cache.archive.captures(of: key).first(where: \.isGood)
    }
  }

  static func reportSkipped(count: Int) {
    guard count > 0 else { return }
    StandardOutput.complain(
      "skipped \(ByteCount.count(count, "response")) obtained with cookies or a password")
  }

  /// Writes the responses for pages, their redirects and their images as WARC records.
  /// - Returns: the number of pages that are missing.
  /// - Throws: `StandardOutput.WriteError` or `ArchiveError`.
  func writeRecords(_ pages: [String], _ profile: Profile) throws -> Int {
    let archive = profile.cache.archive
    var missing = 0
    var file = try ContentOutput(path: output)
    var records = WARCExport(isCompressed: output?.hasSuffix(".warc") != true)
    try records.begin(name: output.map { ($0 as NSString).lastPathComponent } ?? "", now: Date()) {
      try file.write($0)
    }
    for url in pages {
      let responses = try Self.responses(url, in: profile)
      for stored in responses?.steps ?? [] {
        try records.add(stored, of: archive) { try file.write($0) }
      }
      guard let responses, let page = responses.page, !responses.steps.isEmpty else {
        missing += 1
        continue
      }
      for image in try Self.images(page, in: profile) {
        try records.add(image, of: archive) { try file.write($0) }
      }
    }
    try file.finish()
    Self.reportSkipped(count: records.privateCount)
    return missing
  }

  /// Writes a WACZ collection: the responses for pages, their redirects and the resources that they
  /// need in a browser, with an index and a list of the pages.
  /// - Returns: the number of pages that are missing.
  /// - Throws: `StandardOutput.WriteError` or `ArchiveError`.
  func writeCollection(_ pages: [String], _ profile: Profile) throws -> Int {
    let archive = profile.cache.archive
    var missing = 0
    var file = try ContentOutput(path: output)
    var buffered: [UInt8] = []
    func put(_ bytes: [UInt8]) throws {
      buffered += bytes
      guard buffered.count >= Self.pieceLength else { return }
      try file.write(buffered)
      buffered.removeAll(keepingCapacity: true)
    }
    var collection = WACZExport(
      title: title ?? "", software: "offread \(Offread.version)", date: Date(),
      makeSpool: { Spool(directory: NSTemporaryDirectory()) })
    try collection.begin(into: put)
    for url in pages {
      let responses = try Self.responses(url, in: profile)
      for stored in responses?.steps ?? [] { try collection.add(stored, of: archive, into: put) }
      guard let page = responses?.page, let main = responses?.steps.last else {
        missing += 1
        continue
      }
      let parts = try Self.images(page, in: profile) + SavedParts.parts(of: main, in: profile.cache)
      for part in parts {
        do {
          try collection.add(part, of: archive, into: put)
        } catch ArchiveError.damaged {
          // The page is useful without this resource.
          StandardOutput.complain(
            "\(SafeText.withoutCredentials(part.key)): skipped, because the saved response is damaged"
          )
        }
      }
      // The text of private responses is left out too.
      guard !main.isPrivate else { continue }
      let rendered = profile.renderedDocument(of: main.key, limit: Self.maxRenderedLength)
      let fullest = rendered.flatMap { $0.text.count > page.document.text.count ? $0 : nil }
      let document = fullest ?? page.document
      try collection.list(
        WACZExport.Page(
          url: main.key, date: main.contentDate, title: document.title,
          text: String(decoding: document.plainText, as: UTF8.self)))
    }
    let excludedCount = collection.privateCount
    guard missing < pages.count else { return missing }
    try collection.finish(into: put)
    try file.write(buffered)
    try file.finish()
    Self.reportSkipped(count: excludedCount)
    return missing
  }
}
