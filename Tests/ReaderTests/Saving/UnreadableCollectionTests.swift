import Library
import OfflineCache
import Profiles
import TestNetwork
import Testing

@testable import Saving

/// Saves of collections in a library that cannot be read.
@Suite struct UnreadableCollectionTests {
  private static let url = "http://a.example/"
  let files: TestProfile
  let network = SiteNetwork()

  init() throws { files = try TestProfile() }

  @Test func `a collection that cannot be looked up is not replaced by a new one`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    profile.library.close()
    var request = SaveRequest(pages: [Self.url])
    request.collection = CollectionRequest()
    var recorder = try #require(CollectionRecorder(request, in: profile))
    #expect(throws: ArchiveError.self) { try recorder.changes([]) }
  }

  @Test func `a collection that cannot be read does not count as removed`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [Self.url])
    request.collection = CollectionRequest(refreshing: "c")
    var recorder = try #require(CollectionRecorder(request, in: profile))
    let changes = try recorder.changes([])
    #expect(changes.isEmpty)
    profile.library.close()
    #expect(throws: ArchiveError.self) { try recorder.changes([]) }
  }
}
