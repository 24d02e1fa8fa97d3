@testable import Profiles
import Document
import Foundation
import Library
import OfflineCache
import Pages
import ReaderMode
import TestNetwork
import Testing

@testable import Saving

/// Readings of files that are imported afterwards.
@Suite struct ImportedReadingTests {
  private static let page = "https://a.test/log"
  private static let message = """
    From: <Saved>
    MIME-Version: 1.0
    Content-Type: multipart/related; boundary=b

    --b
    Content-Type: text/html
    Content-Location: \(page)

    <title>Log</title><p>words of the log
    --b--

    """

  private static func record(_ url: String, _ percent: Int, day: Double) -> ReadingLog.Record {
    let document = Document(bytes: Array("<p>words".utf8), mediaType: "text/html")
    return ReadingLog.Record(
      url: url, title: "Log", date: Date(timeIntervalSince1970: day * 86_400), percent: percent,
      anchor: TextAnchor(at: 0, in: document, blocks: 1))
  }

  @Test(arguments: [nil, (10, 1), (90, 3)] as [(percent: Int, day: Double)?])
  func `a file that was read and then imported as a page has one row`(
    _ earlier: (percent: Int, day: Double)?
  ) throws {
    let files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    let file = files.directory.appendingPathComponent("log.mhtml")
    try Data(Self.message.utf8).write(to: file)
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    var record = Self.record(file.absoluteString, 40, day: 2)
    record.book = .init(url: record.url, title: "Log", part: nil, percent: 40)
    record.book?.key = profile.contentKey(of: DocumentAddress(record.url))
    try profile.readingLog.append(record)
    if let earlier {
      try profile.readingLog.append(Self.record(Self.page, earlier.percent, day: earlier.day))
    }
    for _ in 1...2 { _ = try LibraryImport(into: profile).run(file.path) }
    let rows = try LibraryContents(of: profile).rows
    #expect(rows.map(\.key) == [Self.page])
    #expect(rows.first?.reading?.percent == max(40, earlier?.percent ?? 0))
    #expect(profile.readingLog.last(of: file.absoluteString)?.percent == 40)
  }
}
