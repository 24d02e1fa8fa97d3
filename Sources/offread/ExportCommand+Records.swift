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
  /// Maximum length of a rendering that is read, in bytes.
  private static let maxRenderedLength: Int64 = 20 << 20
  /// Number of bytes that are collected before they are written.
  private static let writeBufferLength = 1 << 18

  /// The saved responses for a page.
  private struct PageResponses {
    /// The redirects and the final response, with the frames and images.
    var mainResponses = SavedParts.Responses()
    /// The images of the page in reader view, the next parts of its text with theirs, and the
    /// redirects to all of them.
    var imagesAndNextParts: [StoredResponse] = []
    /// The page in reader view; nil if it cannot be read.
    var page: Page?
  }

  /// Returns the saved responses for a page.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - exportedKeys: The cache keys of all exported pages.
  ///   - profile: The profile with the archive.
  /// - Returns: The responses; all are empty if the page is not saved.
  /// - Throws: `ArchiveError`.
  private func responses(
    _ url: String, of exportedKeys: Set<String>, in profile: Profile
  ) throws -> PageResponses {
    let key = profile.cache.key(of: url) ?? url
    var found = PageResponses()
    found.mainResponses = try SavedParts.responses(
      for: key, isComplete: format == .wacz, in: profile.cache)
    found.page = PageWatch.process(key) { Self.savedPage(url, in: profile) } ?? nil
    guard let page = found.page else { return found }
    found.imagesAndNextParts = try Self.imageResponses(page, in: profile)
    let nextParts = PageWatch.process(key) {
      Self.nextParts(of: page, except: exportedKeys, in: profile)
    }
    for part in nextParts ?? [] {
      let partKey = profile.cache.key(of: part.requestedURL.text) ?? part.requestedURL.text
      let responses = try SavedParts.responses(
        for: partKey, isComplete: format == .wacz, in: profile.cache)
      found.imagesAndNextParts += responses.chain + responses.parts
      found.imagesAndNextParts += try Self.imageResponses(part, in: profile)
    }
    return found
  }

  /// Returns the redirects that lead to the pages of the selected collections.
  private func redirects(in profile: Profile) throws -> [StoredResponse] {
    try selection.selectedCollections(in: profile).flatMap { collection in
      try profile.library.redirects(to: collection.id).flatMap { key in
        try SavedParts.chain(of: key, in: profile.cache).filter(\.isRedirect)
      }
    }
  }

  private static func imageResponses(
    _ page: Page, in profile: Profile
  ) throws -> [StoredResponse] {
    try page.document.images.indices.flatMap { image -> [StoredResponse] in
      guard let url = page.document.url(ofImage: image), let key = profile.cache.key(of: url) else {
        return []
      }
      return try SavedParts.chain(of: key, in: profile.cache)
    }
  }

  /// Calls a closure that exports a resource of a page, and reports if the resource is damaged. The
  /// page is then exported without it, because it is still useful.
  private static func reportingDamage(of part: StoredResponse, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch ArchiveError.damaged {
      StandardOutput.printError(
        "\(SafeText.withoutCredentials(part.key)): skipped, because the saved response is damaged")
    }
  }

  /// Returns the entry of a page in the list of pages.
  private static func listEntry(
    _ page: Page, _ mainResponse: StoredResponse, _ profile: Profile
  ) -> WACZExport.Page {
    let rendered = profile.renderedDocument(of: mainResponse.key, limit: maxRenderedLength)
    let fullest = rendered.flatMap { $0.text.count > page.document.text.count ? $0 : nil }
    let document = fullest ?? page.document
    return WACZExport.Page(
      url: mainResponse.key, date: mainResponse.contentDate, title: document.title,
      text: String(decoding: document.plainText, as: UTF8.self))
  }

  static func reportSkippedResponses(count: Int) {
    guard count > 0 else { return }
    StandardOutput.printError(
      "skipped \(CountFormatter.countText(count, "response")) obtained with cookies or a password")
  }

  /// Writes the responses for pages, their redirects, frames and images as WARC records.
  /// - Returns: the number of pages that are missing.
  /// - Throws: `StandardOutput.WriteError` or `ArchiveError`.
  func writeRecords(_ pages: [String], _ profile: Profile) throws -> Int {
    let archive = profile.cache.archive
    var missingCount = 0
    var file = try ContentOutput(path: output)
    var records = WARCExport(isCompressed: output?.hasSuffix(".warc") != true)
    try records.begin(name: output.map { ($0 as NSString).lastPathComponent } ?? "", now: Date()) {
      try file.write($0)
    }
    let keys = Self.keys(of: pages, in: profile)
    for url in pages {
      let pageResponses = try responses(url, of: keys, in: profile)
      for stored in pageResponses.mainResponses.chain {
        try records.add(stored, of: archive) { try file.write($0) }
      }
      guard pageResponses.page != nil, !pageResponses.mainResponses.chain.isEmpty else {
        missingCount += 1
        continue
      }
      for part in pageResponses.mainResponses.parts + pageResponses.imagesAndNextParts {
        try Self.reportingDamage(of: part) {
          try records.add(part, of: archive) { try file.write($0) }
        }
      }
    }
    for redirect in try redirects(in: profile) {
      try records.add(redirect, of: archive) { try file.write($0) }
    }
    guard missingCount < pages.count else { return missingCount }
    try file.finish()
    Self.reportSkippedResponses(count: records.privateCount)
    return missingCount
  }

  /// Writes a WACZ collection: the responses for pages, their redirects and frames, and the
  /// resources that they need in a browser, with an index and a list of the pages.
  /// - Returns: the number of pages that are missing.
  /// - Throws: `StandardOutput.WriteError` or `ArchiveError`.
  func writeCollection(_ pages: [String], _ profile: Profile) throws -> Int {
    let archive = profile.cache.archive
    var missingCount = 0
    var file = try ContentOutput(path: output)
    var bufferedBytes: [UInt8] = []
    func put(_ bytes: [UInt8]) throws {
      bufferedBytes += bytes
      guard bufferedBytes.count >= Self.writeBufferLength else { return }
      try file.write(bufferedBytes)
      bufferedBytes.removeAll(keepingCapacity: true)
    }
    var collection = WACZExport(
      title: title ?? "", software: "offread \(Offread.version)", date: Date(),
      makeSpool: { Spool(directory: NSTemporaryDirectory()) })
    try collection.begin(into: put)
    let keys = Self.keys(of: pages, in: profile)
    for url in pages {
      let found = try responses(url, of: keys, in: profile)
      for stored in found.mainResponses.chain { try collection.add(stored, of: archive, into: put) }
      guard let page = found.page, let main = found.mainResponses.chain.last else {
        missingCount += 1
        continue
      }
      for part in found.mainResponses.parts + found.imagesAndNextParts {
        try Self.reportingDamage(of: part) { try collection.add(part, of: archive, into: put) }
      }
      // The text of private responses is left out too.
      if !main.isPrivate { try collection.list(Self.listEntry(page, main, profile)) }
    }
    for redirect in try redirects(in: profile) {
      try collection.add(redirect, of: archive, into: put)
    }
    let excludedCount = collection.privateCount
    guard missingCount < pages.count else { return missingCount }
    try collection.finish(into: put)
    try file.write(bufferedBytes)
    try file.finish()
    Self.reportSkippedResponses(count: excludedCount)
    return missingCount
  }
}
