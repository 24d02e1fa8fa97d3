import Foundation
import Library

/// Saved positions: where pages were left, bookmarks within pages, and the last jump on the page.
struct ReadingPositions: Sendable {
  /// The percentage from which a page counts as read to the end.
  static let minFinishedPercent = 97
  /// The time without input after which the position is recorded, in seconds.
  static let idleTime: Double = 5

  /// The last recorded position; nil for none.
  private var lastRecorded: ReadingLog.Record?
  /// The time of the last input.
  private var lastInputDate: Date
  /// The positions at which pages that are being loaded were left, by page key.
  private var leftPositions: [String: ReadingLog.Record] = [:]
  /// The position to show in the page that is being loaded; nil for none.
  private var destination: ReadingLog.Record?
  /// The bookmarks set or looked up in this session, by letter.
  private var bookmarks: [String: ReadingLog.Record] = [:]
  /// The position before the last jump on this page; nil for none.
  private(set) var jumpOrigin: ReadingPosition?

  init(now: Date) { lastInputDate = now }

  // MARK: Recording positions

  /// Records the time of an input event.
  mutating func recordInput(at now: Date) { lastInputDate = now }

  /// Returns whether there was no input for `idleTime`.
  func isIdle(at now: Date) -> Bool { now.timeIntervalSince(lastInputDate) >= Self.idleTime }

  /// Stores a position as the last recorded one.
  /// - Returns: Whether it differs from the previous one and has to be written.
  mutating func write(_ record: ReadingLog.Record) -> Bool {
    let isKnown =
      lastRecorded?.url.isSamePage(as: record.url) == true
      && lastRecorded?.anchor.offset == record.anchor.offset
      && lastRecorded?.percent == record.percent
    if !isKnown { lastRecorded = record }
    return !isKnown
  }

  /// Returns whether an offset in the text of a page is the last recorded position.
  func isLastRecorded(_ url: String, _ offset: Int) -> Bool {
    lastRecorded?.url.isSamePage(as: url) == true && lastRecorded?.anchor.offset == offset
  }

  // MARK: Initial positions

  /// The initial position of a loaded page.
  enum InitialPosition: Equatable {
    /// A requested position.
    case destination(ReadingLog.Record)
    /// The position at which the page was left before its end.
    case left(ReadingLog.Record)
  }

  /// Stores the position at which the page that is being loaded was left.
  mutating func storeLeftPosition(_ record: ReadingLog.Record) {
    if leftPositions.count >= Self.maxLeftPositions { leftPositions = [:] }
    leftPositions[record.url.pageKey] = record
  }

  /// Returns whether a position of a page was requested.
  func hasDestination(_ url: String) -> Bool { destination?.url.isSamePage(as: url) == true }

  /// Removes the position of a book if it is in one of the parts, because it does not apply to the
  /// table of contents.
  mutating func removePosition(inPartOf url: String) {
    if leftPositions[url.pageKey]?.book?.part != nil { leftPositions[url.pageKey] = nil }
  }

  /// Returns the position at which a page that is being loaded was left; nil if it is not known.
  func leftPosition(of url: String) -> ReadingLog.Record? { leftPositions[url.pageKey] }

  private static let maxLeftPositions = 1000

  /// Sets the position to show when its page has been loaded.
  mutating func setDestination(to record: ReadingLog.Record) { destination = record }

  /// Removes and returns the initial position of a loaded page; nil for its top.
  /// - Parameters:
  ///   - url: The URL for which the position is recorded.
  ///   - hasFragment: Whether the requested URL has a fragment.
  /// - Returns: The position.
  mutating func consumeInitialPosition(of url: String, hasFragment: Bool) -> InitialPosition? {
    if let destination, destination.url.isSamePage(as: url) {
      self.destination = nil
      return .destination(destination)
    }
    destination = nil
    guard !hasFragment, let position = leftPositions.removeValue(forKey: url.pageKey) else {
      return nil
    }
    return Self.isPartlyRead(position) ? .left(position) : nil
  }

  /// Returns whether a page will be shown from another position than its top.
  func opensBelowTop(_ url: String, hasFragment: Bool) -> Bool {
    hasFragment || destination?.url.isSamePage(as: url) == true
      || leftPositions[url.pageKey].map(Self.isPartlyRead) ?? false
  }

  private static func isPartlyRead(_ record: ReadingLog.Record) -> Bool {
    record.percent < minFinishedPercent && record.anchor.offset > 0
  }

  // MARK: Marks and jumps

  /// The position of the bookmark with a letter; nil if it is unknown or there is no such bookmark.
  subscript(bookmark letter: String) -> ReadingLog.Record? {
    get { bookmarks[letter] }
    set { bookmarks[letter] = newValue }
  }

  /// Stores the position before a jump on the page; nil after a change of the page.
  mutating func recordJumpOrigin(from position: ReadingPosition?) { jumpOrigin = position }
}
