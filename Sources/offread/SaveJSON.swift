import Saving
import Document
import DOM
import Foundation
import Library
import Pages
import Rendering

/// The JSON report of a save, written incrementally: first the pages, then the summary.
final class SaveJSON {
  private struct Image: Encodable {
    var url: String
    var reason: String

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case reason = "reason"
    }
  }

  private struct Entry: Encodable {
    var url: String
    var depth: Int
    var result: String
    var reason: String?
    var isReadable: Bool
    var size: Int64
    var title: String
    var images: Int
    var missingImages: Int
    var unsavedImages: [Image]?
    var parts: Int
    var partsSize: Int64
    var missingParts: Int
    var hasText: Bool
    var isReady: Bool
    var problem: String?
    var standIn: String?
    var frames: Int
    var missingFrames: Int
    var isQueued: Bool
    var isExcused: Bool
    var isConfirmed: Bool
    var refusedDays: Int
    var retryAfter: String?
    var change: Change?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case depth = "depth"
      case result = "result"
      case reason = "reason"
      case isReadable = "isReadable"
      case size = "size"
      case title = "title"
      case images = "images"
      case missingImages = "missingImages"
      case unsavedImages = "unsavedImages"
      case parts = "parts"
      case partsSize = "partsSize"
      case missingParts = "missingParts"
      case hasText = "hasText"
      case isReady = "isReady"
      case problem = "problem"
      case standIn = "looksLike"
      case frames = "frames"
      case missingFrames = "missingFrames"
      case isQueued = "isQueued"
      case isExcused = "isExcused"
      case isConfirmed = "isConfirmed"
      case refusedDays = "refusedDays"
      case retryAfter = "askAgain"
      case change = "change"
    }
  }

  private struct Change: Encodable {
    var added: Int
    var removed: Int
    var words: String

    private enum CodingKeys: String, CodingKey {
      case added = "added"
      case removed = "removed"
      case words = "words"
    }

    init(_ change: ChangeSummary) {
      (added, removed, words) = (change.addedCount, change.removedCount, change.excerpt)
    }
  }

  private struct FeedEntry: Encodable {
    var url: String
    var title: String
    var new: Int
    var items: Int
    var problem: String?
    var newURL: String?
    /// The number of enclosures that are not fetched; nil if there are none.
    var omittedEnclosures: Int?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case new = "new"
      case items = "items"
      case problem = "problem"
      case newURL = "newURL"
      case omittedEnclosures = "omittedEnclosures"
    }
  }

  private struct Rendering: Encodable {
    var url: String
    var browser: String?
    var size: Int?
    var problem: String?
    /// The date of the earlier rendering that is kept because rendering failed; nil otherwise.
    var date: String?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case browser = "browser"
      case size = "size"
      case problem = "problem"
      case date = "date"
    }

    init(_ rendering: RenderOutcome) {
      url = SafeText.withoutCredentials(rendering.url)
      switch rendering.result {
      case .saved(let browser, let size): (self.browser, self.size) = (browser, size)
      case .failed(let reason): problem = reason
      }
      date = rendering.previousDate?.formatted(.iso8601)
    }
  }

  private struct Hook: Encodable {
    var succeeded: Int
    var failed: Int
    var waiting: Int
    var abandoned: Int
    var reason: String?

    private enum CodingKeys: String, CodingKey {
      case succeeded = "succeeded"
      case failed = "failed"
      case waiting = "waiting"
      case abandoned = "abandoned"
      case reason = "reason"
    }

    init(_ report: HookReport) {
      (succeeded, failed) = (report.succeededCount, report.failedCount)
      (waiting, abandoned) = (report.waitingCount, report.abandonedCount)
      reason = report.reason.isEmpty ? nil : report.reason
    }
  }

  private struct Enclosures: Encodable {
    private struct Failure: Encodable {
      var url: String
      var problem: String

      private enum CodingKeys: String, CodingKey {
        case url = "url"
        case problem = "problem"
      }
    }

    // These members are written for a run that fetches enclosures.
    private var fetched: Int?
    private var tooLarge: Int?
    private var withoutSpace: Int?
    private var failedEarlier: Int?
    private var removed: Int?
    private var failed: [Failure]?
    /// The reason why enclosures cannot be stored; nil if they can.
    private var problem: String?
    /// Whether another process fetches enclosures; nil if none does.
    private var isBusy: Bool?
    private var damaged: Int?
    // These members are written for a check.
    private var ready: Int?
    private var missing: Int?
    private var refused: Int?
    // This member is written in both cases.
    private var waiting: Int
    private var bytes: Int64

    private enum CodingKeys: String, CodingKey {
      case fetched = "fetched"
      case tooLarge = "tooLarge"
      case withoutSpace = "withoutSpace"
      case failedEarlier = "failedEarlier"
      case removed = "removed"
      case failed = "failed"
      case problem = "problem"
      case isBusy = "isBusy"
      case damaged = "damaged"
      case ready = "ready"
      case missing = "missing"
      case refused = "refused"
      case waiting = "waiting"
      case bytes = "bytes"
    }

    init(_ report: EnclosureReport) {
      (fetched, bytes, tooLarge) = (report.fetchedCount, report.bytes, report.tooLargeCount)
      (withoutSpace, waiting) = (report.withoutSpaceCount, report.waitingCount)
      (failedEarlier, removed) = (report.failedEarlierCount, report.removedCount)
      problem = report.problem
      isBusy = report.isBusy ? true : nil
      damaged = report.damagedCount > 0 ? report.damagedCount : nil
      failed = report.failures.map {
        Failure(
          url: SafeText.withoutCredentials($0.record.url), problem: $0.reason.description)
      }
    }

    init(_ statuses: [EnclosureStatus], damagedCount: Int) {
      damaged = damagedCount > 0 ? damagedCount : nil
      ready = statuses.count { $0.state == .ready }
      missing = statuses.count { $0.state == .missing }
      refused = statuses.count { $0.state == .refused || $0.state == .deselected }
      waiting = statuses.count { $0.state == .waiting }
      bytes = statuses.reduce(0) { $0 + $1.storedSize }
    }
  }

  private struct Collection: Encodable {
    var name: String
    var pages: Int
    var unreached: Int
  }

  private struct Summary: Encodable {
    var version = JSONReport.version
    var changed: Int
    var ready: Int
    var new: Int
    var unchanged: Int
    var kept: Int
    var failed: Int
    var refused: Int
    var withoutText: Int
    var unready: Int
    var missingImages: Int
    var queued: Int
    var size: Int64
    var isComplete: Bool
    var isInterrupted: Bool
    var cutOff: Int
    var feeds: [FeedEntry]
    var collections: [Collection]?
    var enclosures: Enclosures?
    var rendered: [Rendering]?
    var readHook: Hook?

    private enum CodingKeys: String, CodingKey {
      case version = "version"
      case changed = "changed"
      case ready = "ready"
      case new = "new"
      case unchanged = "unchanged"
      case kept = "kept"
      case failed = "failed"
      case refused = "refused"
      case withoutText = "withoutText"
      case unready = "unready"
      case missingImages = "missingImages"
      case queued = "queued"
      case size = "size"
      case isComplete = "isComplete"
      case isInterrupted = "isInterrupted"
      case cutOff = "cutOff"
      case feeds = "feeds"
      case collections = "collections"
      case enclosures = "enclosures"
      case rendered = "rendered"
      case readHook = "readHook"
    }
  }

  private let output = ReportOutput()
  private var hasWrittenPages = false
  private var changedCount = 0

  /// Writes the result for a page.
  /// - Parameters:
  ///   - page: the result.
  ///   - change: the changes in the page; nil if there are none, or they are unknown.
  func write(_ page: SaveOutcome, change: ChangeSummary? = nil) {
    if change != nil { changedCount += 1 }
    let (word, reason) = Self.result(page.result)
    let entry = Entry(
      url: SafeText.withoutCredentials(page.url), depth: page.depth, result: word, reason: reason,
      isReadable: page.isReadable, size: page.size, title: page.title, images: page.imageCount,
      missingImages: page.missingImageCount,
      unsavedImages: page.missingImageNames.isEmpty
        ? nil
        : page.missingImageNames.map {
          Image(url: SafeText.withoutCredentials($0.url), reason: $0.reason)
        },
      parts: page.partCount, partsSize: page.partsSize,
      missingParts: page.missingPartCount,
      hasText: page.isReadable && !(page.unreadiness?.isLackOfText ?? false),
      isReady: page.isReady, problem: page.unreadiness?.description,
      standIn: page.unreadiness == nil ? page.standIn?.description : nil,
      frames: page.neededPartCount,
      missingFrames: page.missingNeededPartCount,
      isQueued: page.isQueued, isExcused: page.isExcused,
      isConfirmed: !page.isUnconfirmed, refusedDays: page.rejectionDayCount,
      retryAfter: page.retryAfter.map { $0.formatted(.iso8601) },
      change: change.map(Change.init))
    guard let text = try? JSONText.encode(entry) else { return }
    let lines = text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    output.write((hasWrittenPages ? ",\n" : Self.start + "\n") + lines)
    hasWrittenPages = true
  }

  /// Writes the summary.
  /// - Parameters:
  ///   - report: the report of the save.
  ///   - enclosures: the enclosures that a check found.
  ///   - damagedCount: the number of enclosures whose records a check could not read.
  /// - Throws: the first error that occurred while writing, usually `StandardOutput.WriteError`.
  func end(
    _ report: SaveReport, enclosures: [EnclosureStatus] = [], damagedCount: Int = 0
  ) throws {
    let kinds: [Unreadiness.Kind] = [.withoutText, .empty]
    let withoutTextCount = kinds.reduce(0) { $0 + (report.unready[$1] ?? 0) }
    let summary = Summary(
      changed: changedCount,
      ready: report.readableCount, new: report.saved, unchanged: report.unchanged,
      kept: report.kept,
      failed: report.failed, refused: report.refused,
      withoutText: withoutTextCount,
      unready: report.savedPageCount - report.readableCount,
      missingImages: report.missingImages, queued: report.queued, size: report.size,
      isComplete: report.isComplete, isInterrupted: report.isInterrupted, cutOff: report.cutOff,
      feeds: report.feeds.map {
        FeedEntry(
          url: SafeText.withoutCredentials($0.url), title: $0.title, new: $0.newItemCount,
          items: $0.retainedItemCount,
          problem: $0.problem ?? $0.olderProblem, newURL: $0.newURL,
          omittedEnclosures: $0.omittedEnclosureCount > 0 ? $0.omittedEnclosureCount : nil)
      },
      collections: report.collections.isEmpty
        ? nil
        : report.collections.map {
          Collection(name: $0.name, pages: $0.pageCount, unreached: $0.unreachedCount)
        },
      enclosures: report.enclosures.map { Enclosures($0) }
        ?? (enclosures.isEmpty && damagedCount == 0
          ? nil : Enclosures(enclosures, damagedCount: damagedCount)),
      rendered: report.renderings.isEmpty ? nil : report.renderings.map(Rendering.init),
      readHook: report.hook.isEmpty ? nil : Hook(report.hook))
    let text = try JSONText.encode(summary)
    // The opening brace was written before the pages.
    output.write(
      (hasWrittenPages ? "\n  " : Self.start) + "],\n" + text.drop { $0 != "\n" }.dropFirst())
    try output.finish()
  }

  private static let start = "{\n  \"pages\" : ["

  private static func result(_ result: SaveOutcome.Result) -> (String, reason: String?) {
    switch result {
    case .saved: ("saved", nil)
    case .unchanged: ("unchanged", nil)
    case .kept(let reason): ("kept", reason)
    case .failed(let reason): ("failed", reason)
    case .refused: ("refused", nil)
    }
  }
}
