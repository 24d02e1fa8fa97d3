package import Profiles
import Configuration
import Document
package import Library
package import OfflineCache

/// An enclosure of a feed item with its state, for lists and reports.
package struct EnclosureStatus: Sendable, Equatable {
  /// The state of the file.
  package enum State: String, Sendable, Equatable {
    /// The complete file is on the disk.
    case ready
    /// The next sync fetches the file.
    case waiting
    /// The file was not fetched, because of a limit or because the server refused it.
    case refused
    /// The file was complete, but is no longer on the disk.
    case missing
    /// The settings no longer select the file.
    case deselected
  }

  /// The record of the enclosure; its texts are not sanitized.
  package var record: EnclosureRecord
  package var state: State
  /// The number of bytes on the disk.
  package var storedSize: Int64
  /// The path of the complete file; nil unless the state is `ready`.
  package var path: String?

  /// Returns enclosures with their states, newest first.
  /// - Parameters:
  ///   - keys: The cache keys of the pages or feeds whose enclosures are returned; nil for all.
  ///   - profile: The profile with the enclosures.
  /// - Returns: The enclosures, and the number of enclosures whose records cannot be read.
  /// - Throws: `ArchiveError`.
  package static func list(
    of keys: Set<String>? = nil, in profile: Profile
  ) throws(ArchiveError) -> (enclosures: [EnclosureStatus], damagedCount: Int) {
    let contents = try profile.enclosures.contents()
    let enclosures = try statuses(
      contents.records.filter { record in
        keys.map { $0.contains(record.item) || $0.contains(record.feed) } ?? true
      }, in: profile)
    return (enclosures, keys.map { contents.damagedCount(of: $0) } ?? contents.damagedCount)
  }

  /// Returns enclosures with their states, newest first, without those whose records cannot be
  /// read.
  /// - Parameters:
  ///   - keys: The cache keys of the pages or feeds whose enclosures are returned; nil for all.
  ///   - profile: The profile with the enclosures.
  /// - Returns: The enclosures.
  /// - Throws: `ArchiveError`.
  package static func all(
    of keys: Set<String>? = nil, in profile: Profile
  ) throws(ArchiveError) -> [EnclosureStatus] {
    try list(of: keys, in: profile).enclosures
  }

  /// Returns the enclosures of a page with their states.
  /// - Parameters:
  ///   - item: The cache key of the page.
  ///   - profile: The profile with the enclosures.
  /// - Returns: The enclosures.
  /// - Throws: `ArchiveError`.
  package static func all(
    ofItem item: String, in profile: Profile
  ) throws(ArchiveError) -> [EnclosureStatus] {
    try statuses(try profile.enclosures.contents(item: item).records, in: profile)
  }

  /// Returns the states of enclosures. Incomplete enclosures that are no longer needed (see
  /// `EnclosureItems.neededRecords`), for example because their items have been read, are left out.
  private static func statuses(
    _ records: [EnclosureRecord], in profile: Profile
  ) throws(ArchiveError) -> [EnclosureStatus] {
    let store = profile.enclosures
    let incomplete = records.filter { $0.state != .complete }
    let needed = Set(
      try EnclosureItems(of: incomplete, in: profile.library).neededRecords(incomplete).map(\.name))
    var statuses: [EnclosureStatus] = []
    for record in records where record.state == .complete || needed.contains(record.name) {
      let isReady = store.isReady(record)
      let isSelected = profile.settings.enclosurePolicy(ofFeed: record.feed).selects(record.kind)
      let state: State =
        switch record.state {
        case .complete: isReady ? .ready : .missing
        case .waiting: isSelected ? .waiting : .deselected
        case .failed: .refused
        }
      statuses.append(
        EnclosureStatus(
          record: record, state: state, storedSize: try store.storedSize(of: record),
          path: isReady ? store.path(of: record) : nil))
    }
    return statuses
  }

  /// The kind and the playing time, such as `audio 1:02:03`, followed by the state unless the file
  /// is ready.
  package var text: String {
    let state = state == .ready ? "" : "not fetched"
    return [record.kind?.rawValue ?? "file", SafeText.line(record.duration), state]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The size of the file in bytes: on the disk, or else according to the server or the feed; nil
  /// if it is unknown.
  package var size: Int64? {
    state == .ready ? storedSize : record.size ?? record.declaredSize
  }

  /// The reason why the file is not ready, not sanitized; empty if the file is ready.
  package var problem: String {
    switch state {
    case .ready: ""
    case .waiting where record.failure.isEmpty: "waits for the next sync"
    case .waiting: "\(record.failure); waits for the next sync"
    case .refused: record.failure
    case .missing: "the file was deleted or changed"
    case .deselected: "not selected by the settings"
    }
  }
}
