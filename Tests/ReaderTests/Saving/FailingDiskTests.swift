@testable import Saving
import Crawl
@testable import Library
import Dispatch
import Foundation
import OfflineCache
import Synchronization
import TestFiles
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles

/// Reports of saving when the disk loses data.
@Suite struct FailingDiskTests {
  /// A disk that fails from a given point on.
  final class Disk: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    private let state = Mutex((isUnflushed: false, room: Int?.none))

    /// Sets whether flushes fail from now on.
    func setUnflushed(_ isUnflushed: Bool) { state.withLock { $0.isUnflushed = isUnflushed } }

    /// Sets the number of bytes that can still be written, or nil for any number.
    func setFreeBytes(_ bytes: Int?) { state.withLock { $0.room = bytes } }

    func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
      state.withLock(\.isUnflushed) && !isDirectory
        ? -Int(EIO) : base.sync(descriptor, isDirectory: isDirectory)
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
      let fits = state.withLock { state in
        guard let capacity = state.room else { return true }
        state.room = max(0, capacity - bytes.count)
        return capacity >= bytes.count
      }
      return fits ? base.write(descriptor, bytes, at: offset) : -Int(ENOSPC)
    }
  }

  private let files: TestProfile
  private let network = SiteNetwork()
  private let disk = Disk()

  init() throws {
    files = try TestProfile()
    setSite()
  }

  /// The number of bytes that still fit on a full disk: too few for a record, but enough for a part
  /// of one.
  private static let rest = 100

  /// Sets the pages of the site.
  /// - Parameter number: the number of the page whose request fills the disk, or nil.
  private func setSite(fillingDiskAt number: Int? = nil) {
    network.makePages { [disk] url, _ in
      guard let page = url.path.split(separator: "/").last.flatMap({ Int($0) }) else { return nil }
      if page == number { disk.setFreeBytes(Self.rest) }
      return "<title>\(page)</title><p>The text of \(page)."
    }
  }

  /// Saves pages one after the other, so that each is stored before the next is requested.
  private func saveInOrder(_ request: SaveRequest, in profile: Profile) -> CollectedReport {
    var request = request
    request.pace.maxLoadsPerHost = 1
    return PageSaver(request, in: profile).collected()
  }

  private func url(_ number: Int) -> String { "http://a.example/\(number)" }

  private func request(_ count: Int) -> SaveRequest {
    var request = SaveRequest(pages: (0..<count).map(url))
    request.pace.minGap = .zero
    return request
  }

  @Test func `a page that could not be flushed is not reported as saved`() throws {
    let profile = files.open(network, files: disk)
    disk.setUnflushed(true)
    let report = PageSaver(request(3), in: profile).collected()
    #expect(!report.isComplete && report.saved == 0 && report.failed == 3)
    #expect(report.pages.count == 3)
    for page in report.pages {
      guard case .failed(let reason) = page.result else {
        Issue.record("\(page)")
        continue
      }
      #expect(reason.contains("Input/output error"))
    }
    #expect(try profile.library.count(with: .pinned) == 0)
    #expect(report.warning?.contains("Input/output error") == true)
    // After the disk has recovered, the next save succeeds.
    disk.setUnflushed(false)
    #expect(PageSaver(request(3), in: profile).run().isComplete)
    #expect(try profile.library.count(with: .pinned) == 3)
    profile.close()
  }

  @Test func `a full disk ends the run with one report, and keeps saved and pending pages`()
    throws
  {
    let profile = files.open(network, files: disk)
    try profile.library.record((0..<30).map { LibraryChange(url($0), .queued, "") })
    _ = PageSaver(request(2), in: profile).run()
    #expect(try profile.library.count(with: .queued) == 28)
    setSite(fillingDiskAt: 6)
    var plan = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
    plan.pace.minGap = .zero
    let report = saveInOrder(plan, in: profile)
    #expect(report.report.isDiskFull && !report.isComplete && !report.isInterrupted)
    #expect(report.warning == ArchiveError.full.description)
    // Pages that did not fit are not reported individually.
    // The verdict on the first response, which could come from a captive portal, needs the whole
    // run, so its page stays queued.
    #expect(report.pages.map(\.result) == [.saved, .saved, .saved])
    #expect(report.pages.map(\.url) == (3..<6).map(url))
    #expect(report.saved == 3)
    #expect(try profile.library.count(with: .queued) == 25)
    // The other pending pages were not even requested.
    #expect(network.requests.filter { !$0.hasSuffix("robots.txt") } == (0...6).map(url))
    setSite()
    disk.setFreeBytes(nil)
    #expect(PageSaver(plan, in: profile).run().isComplete)
    #expect(try profile.library.count(with: .queued) == 0)
    profile.close()
  }

  @Test func `a save ended by a full disk can be resumed`() throws {
    let profile = files.open(network, files: disk)
    setSite(fillingDiskAt: 3)
    let report = saveInOrder(request(30), in: profile)
    #expect(report.report.isDiskFull && report.pages.map(\.url) == (0..<3).map(url))
    // Requested pages are to be pinned, whether or not they fit.
    #expect(report.report.waitingForSpace == 27 && !report.report.hasUnrecordedPages)
    #expect(try profile.library.count(with: .pinned) == 30)
    #expect(try profile.library.count(with: .queued) == 27)
    setSite()
    disk.setFreeBytes(nil)
    let next = PageSaver(request(30), in: profile)
    #expect(next.resumedCount == 3)
    #expect(next.run().isComplete)
    profile.close()
  }

  @Test func `a removal that the full disk stopped hides the page, and can be repeated`() throws {
    let profile = files.open(network, files: disk)
    let text = (0..<4000).map { String($0 * 7919 % 104_729) }.joined(separator: " ")
    network.makePages { url, _ in
      url.path == "/robots.txt" ? nil : "<title>\(url)</title><p>\(text)"
    }
    #expect(PageSaver(request(2), in: profile).run().isComplete)
    // Enough for the record of the removal, but not for a copy of the segment.
    disk.setFreeBytes(2000)
    #expect(throws: ArchiveError.full) { try PageRemoval(from: profile).remove([url(0)]) }
    #expect(profile.cache.savedPages(among: [url(0), url(1)]).count == 1)
    disk.setFreeBytes(nil)
    #expect(try PageRemoval(from: profile).remove([url(0)])[0].removal.bytes > 0)
    #expect(profile.cache.savedPages(among: [url(0), url(1)]).count == 1)
    profile.close()
  }

  @Test func `a disk that is full from the start is reported, too`() throws {
    let profile = files.open(network, files: disk)
    disk.setFreeBytes(0)
    let report = PageSaver(request(5), in: profile).collected()
    #expect(report.report.isDiskFull && report.pages.isEmpty && report.report.knownCount == 5)
    #expect(report.report.waitingForSpace == 5)
    #expect(try profile.library.count(with: .queued) == 5)
    #expect(report.warning == ArchiveError.full.description)
    let told = ([report.warning].compactMap(\.self) + profile.drainNotices())
    #expect(told.filter { $0.contains("full") }.count == 1, "\(told)")
    profile.close()
  }
}
