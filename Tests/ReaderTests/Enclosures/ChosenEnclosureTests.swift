import Testing

@testable import Configuration
@testable import Feeds
@testable import Saving

/// The enclosures of an item that are fetched.
@Suite struct ChosenEnclosureTests {
  private static func file(
    _ name: String, type: String = "video/mp4", length: Int64? = nil, group: Int? = nil,
    isDefault: Bool = false
  ) -> FeedItem.Enclosure {
    FeedItem.Enclosure(
      url: "https://a.example/" + name, mediaType: type, length: length, groupIndex: group,
      isDefault: isDefault)
  }

  @Test(
    arguments: [
      ([Self.file("1"), Self.file("2")], ["1", "2"]),
      (
        [Self.file("1", group: 1), Self.file("2", group: 1), Self.file("3", group: 2)], ["1", "3"]
      ),
      (
        [Self.file("1", group: 1), Self.file("2", group: 1, isDefault: true), Self.file("3")],
        ["2", "3"]
      ),
      ([Self.file("1", length: 2000, group: 1), Self.file("2", length: 5, group: 1)], ["2"]),
      ([Self.file("1", length: 2000, group: 1), Self.file("2", length: 3000, group: 1)], ["1"]),
      ([Self.file("1", type: "audio/mpeg", group: 1), Self.file("2", group: 1)], ["2"]),
      ([Self.file("1.m3u8"), Self.file("2.pls?x"), Self.file("3", type: "video/vnd.mpegurl")], []),
      ([Self.file("m3u"), Self.file("1.mp4?x=.m3u")], ["m3u", "1.mp4?x=.m3u"]),
    ] as [([FeedItem.Enclosure], [String])])
  func `of a group one file is chosen, and playlists are not`(
    _ files: [FeedItem.Enclosure], _ names: [String]
  ) {
    var policy = EnclosurePolicy()
    (policy.choice, policy.fileLimit) = (.video, 1000)
    var item = FeedItem()
    item.enclosures = files
    #expect(
      item.chosenEnclosures(for: policy).map(\.url) == names.map { "https://a.example/" + $0 })
  }
}
