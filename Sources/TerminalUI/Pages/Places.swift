import Foundation
import Library
import Reader

/// Places to come back to: where pages were left, marks, and the last jump on the page.
struct Places: Sendable {
  /// From this part on a page counts as read, in percent.
  static let finished = 97
  /// How long a place must have been left alone before it is written down, in seconds.
  static let restTime: Double = 5

  /// What was last written down.
  private var written: ReadingLog.Record?
  /// When the last key came.
  private var lastInput: Date
  /// Where the pages that are being loaded were left.
  private var left: [String: ReadingLog.Record] = [:]
  /// The place that is to be shown of the page that is being loaded.
  private var destination: ReadingLog.Record?
  /// The marks of this session.
  private var marks: [String: ReadingLog.Record] = [:]
  /// Where the reader was on this page before the last jump.
  private(set) var jump: ReadingPosition?

  init(now: Date) { lastInput = now }

  // MARK: Writing down

  /// Takes note of a key.
  mutating func noteInput(at now: Date) { lastInput = now }

  /// Whether the reader has left the page alone for a while.
  func isAtRest(at now: Date) -> Bool { now.timeIntervalSince(lastInput) >= Self.restTime }

  /// Takes down a place that is to be written down.
  /// - Returns: false when that was done already.
  mutating func write(_ record: ReadingLog.Record) -> Bool {
    let isKnown =
      written?.url.isSamePage(as: record.url) == true
      && written?.anchor.offset == record.anchor.offset
      && written?.percent == record.percent
    if !isKnown { written = record }
    return !isKnown
  }

  /// Whether an offset in the text of a page is the place that was last written down.
  func isWritten(_ url: String, _ offset: Int) -> Bool {
    written?.url.isSamePage(as: url) == true && written?.anchor.offset == offset
  }

  // MARK: Going on

  /// Where a page is shown that has come.
  enum Beginning: Equatable {
    /// At a place that was asked for.
    case destination(ReadingLog.Record)
    /// Where it was left in the middle.
    case left(ReadingLog.Record)
  }

  /// Takes where the page that is being loaded was left.
  mutating func recall(_ record: ReadingLog.Record) {
    if left.count >= Self.mostLeft { left = [:] }
    left[record.url.pageKey] = record
  }

  private static let mostLeft = 1000

  /// Takes the place that is to be shown when its page has come.
  mutating func go(to record: ReadingLog.Record) { destination = record }

  /// Where a page begins that has come; nil for its top.
  /// - Parameters:
  ///   - url: the address under which its place is known.
  ///   - hasFragment: whether its address names a place on it.
  /// - Returns: the place, which is not told again.
  mutating func beginning(of url: String, hasFragment: Bool) -> Beginning? {
    if let destination, destination.url.isSamePage(as: url) {
      self.destination = nil
      return .destination(destination)
    }
    destination = nil
    guard !hasFragment, let left = left.removeValue(forKey: url.pageKey) else { return nil }
    return Self.isBegun(left) ? .left(left) : nil
  }

  /// Whether a page will be shown from another place than its top.
  func isContinued(_ url: String, hasFragment: Bool) -> Bool {
    hasFragment || destination?.url.isSamePage(as: url) == true
      || left[url.pageKey].map(Self.isBegun) ?? false
  }

  private static func isBegun(_ record: ReadingLog.Record) -> Bool {
    record.percent < finished && record.anchor.offset > 0
  }

  // MARK: Marks and jumps

  /// The place that a letter marks, as far as it is known; setting it marks it.
  subscript(mark letter: String) -> ReadingLog.Record? {
    get { marks[letter] }
    set { marks[letter] = newValue }
  }

  /// Remembers where the reader was before going somewhere else on the page; nil on another page.
  mutating func noteJump(from position: ReadingPosition?) { jump = position }
}
