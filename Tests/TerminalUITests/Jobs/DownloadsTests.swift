import Document
import OfflineCache
import Pages
import Testing

@testable import TerminalUI

@Suite struct DownloadsTests {
  private static func downloads(_ count: Int) -> (Downloads, started: [Int]) {
    var downloads = Downloads()
    var effects: [Effect] = []
    for number in 0..<count {
      effects += downloads.add("https://a.test/\(number)", nil, to: "\(number)", LoadOptions())
    }
    return (downloads, started(effects))
  }

  private static func started(_ effects: [Effect]?) -> [Int] {
    (effects ?? []).compactMap { if case .download(let one) = $0 { one.id.number } else { nil } }
  }

  @Test func `three downloads run at once, and the end of one starts the next`() {
    var (downloads, started) = Self.downloads(5)
    #expect(started == [1, 2, 3] && downloads.activeCount == 5)
    let next = [
      downloads.handle(.done(path: "/tmp/1", length: 5, mediaType: ""), of: DownloadID(2)),
      downloads.handle(.failed("no"), of: DownloadID(1)),
    ]
    #expect(next.map(Self.started) == [[4], [5]])
    #expect(downloads.activeCount == 3)
  }

  @Test func `downloads wait while offline mode is on`() {
    var (downloads, _) = Self.downloads(4)
    let stopped = downloads.pause()
    #expect(stopped == [1, 2, 3].map { Effect.cancelDownload(DownloadID($0)) })
    _ = downloads.handle(.progressed(received: 1, expected: nil), of: DownloadID(1))
    #expect(downloads.downloads.allSatisfy { $0.state == .waiting })
    var options = LoadOptions()
    options.mode = .cacheOnly
    let saved = downloads.add("https://a.test/saved", nil, to: "saved", options)
    #expect(Self.started(saved) == [5])
    let finished = downloads.handle(
      .done(path: "/tmp/5", length: 5, mediaType: ""), of: DownloadID(5))
    #expect(Self.started(finished) == [])
    let resumed = downloads.resume()
    #expect(Self.started(resumed) == [1, 2, 3])
  }

  @Test func `a file whose load offline mode stops is requested when that mode ends`() throws {
    let (url, load, id) = ("https://a.test/file", LoadID(7), DownloadID(1))
    let offer = LoadEvent.offered(FileOffer(url: url, length: 9))
    let file = try #require(OfferedFile(offer, of: LoadRequest(url)))
    var downloads = Downloads()
    downloads.add(file, by: load, LoadOptions())
    _ = downloads.setPath(id, "file")
    let stopped = downloads.pause()
    #expect(stopped == [.cancelLoad(load)] && downloads[id]?.state == .waiting)
    let resumed = downloads.resume()
    #expect(Self.started(resumed) == [1] && downloads[id]?.source == .request)
  }

  @Test func `reports for a finished or removed download are ignored`() {
    var (downloads, _) = Self.downloads(2)
    _ = downloads.handle(.failed("no"), of: DownloadID(1))
    let late = downloads.handle(.progressed(received: 1, expected: nil), of: DownloadID(1))
    #expect(late == nil && downloads[DownloadID(1)]?.state == .failed("no"))
    let effects = downloads.remove(DownloadID(2))?.effects
    #expect(effects == [.cancelDownload(DownloadID(2))])
    let gone = downloads.handle(.failed("no"), of: DownloadID(2))
    #expect(gone == nil && downloads[DownloadID(2)] == nil)
  }

  @Test func `a named file waits for its load, or is requested if the load cannot deliver it`()
    throws
  {
    let (url, load, id) = ("https://a.test/file", LoadID(7), DownloadID(1))
    let offer = LoadEvent.offered(FileOffer(url: url, length: 9))
    let file = try #require(OfferedFile(offer, of: LoadRequest(url)))
    var downloads = Downloads()
    downloads.add(file, by: load, LoadOptions())
    let progress = downloads.handle(.progressed(received: 5, expected: nil), of: load)
    #expect(progress?.download.source == .load(load, received: 5))
    #expect(downloads[id]?.state == .awaitingName(existing: nil))
    let named = downloads.setPath(id, "file")
    #expect(named == [] && downloads[id]?.state == .running(received: 5, expected: 9))
    let page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(), provenance: Provenance(source: .network))
    let failure = ReaderError.tooLarge(url: url, .tooLarge(limit: 6))
    let repeated = downloads.handle(.failed(failure, explanation: page), of: load)
    #expect(Self.started(repeated?.effects) == [1] && downloads[id]?.source == .request)
    let late = downloads.handle(.progressed(received: 6, expected: nil), of: load)
    #expect(late == nil)
  }
}
