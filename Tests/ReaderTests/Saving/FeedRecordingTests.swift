import Configuration
import Feeds
import Library
import Testing

@testable import Saving

/// The changes by which the items of a feed are recorded.
@Suite struct FeedRecordingTests {
  private static func entry(_ key: String, hasOwnPage: Bool = true) -> FeedEntry {
    FeedEntry(
      key: key, url: key,
      record: FeedItemRecord(identity: "id-\(key)", page: key, date: nil, title: key),
      item: FeedItem(), hasOwnPage: hasOwnPage)
  }

  private static func recording(isPublic: Bool = true) -> FeedRecording {
    FeedRecording(
      feed: "feed", siteKey: nil, savedPageKeys: [], filters: [], callsHook: false,
      isPublic: isPublic, changes: [])
  }

  private static func attributes(of recording: FeedRecording) -> [LibraryAttribute] {
    recording.changes.map(\.attribute)
  }

  private static let treatments: [(Bool, FeedRecording.Treatment, [LibraryAttribute])] = [
    (true, .unlisted, []), (true, .listed(isFetched: false), []),
    (true, .listed(isFetched: true), [.queued]), (false, .listed(isFetched: true), []),
  ]

  @Test(arguments: treatments)
  func `only listed items with a page of their own are queued`(
    _ hasOwnPage: Bool, _ treatment: FeedRecording.Treatment, _ queueing: [LibraryAttribute]
  ) {
    var recording = Self.recording()
    let item = Self.entry("a", hasOwnPage: hasOwnPage)
    recording.add(item, .new, as: item.record, treatment, [])
    let recorded = LibraryAttribute.feedItem(item.record.identity)
    #expect(Self.attributes(of: recording) == [recorded] + queueing)
    #expect(recording.fetchedItems.map(\.key) == (queueing.isEmpty ? [] : ["a"]))
  }

  @Test func `two items with one page queue it once`() {
    var recording = Self.recording(isPublic: false)
    for item in [Self.entry("a"), Self.entry("a")] {
      recording.add(item, .new, as: item.record, .listed(isFetched: true), [])
    }
    let recorded = LibraryAttribute.feedItem(Self.entry("a").record.identity)
    #expect(Self.attributes(of: recording) == [recorded, .queued, .local, recorded])
    #expect(recording.fetchedItems.count == 1 && recording.titles["a"]?.isShared == true)
  }

  @Test func `an item with a known link makes its page unread again`() {
    var recording = Self.recording()
    recording.addNewItem(Self.entry("a"), hasKnownLink: true)
    recording.addNewItem(Self.entry("b"), hasKnownLink: false)
    #expect(Self.attributes(of: recording) == [.read, .archived, .item, .readCall, .item, .item])
    #expect(recording.newItemCount == 2)
  }
}
