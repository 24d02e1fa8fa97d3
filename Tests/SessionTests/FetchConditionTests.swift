import OfflineCache
import Testing

@testable import Session

/// The messages about pages that are queued.
@Suite struct FetchConditionTests {
  @Test(
    arguments: [
      (nil, "when there is a network"), (.unreadable("x"), "when there is a network"),
      (.full, "when there is space on the disk"),
    ] as [(ArchiveError?, String)])
  func `a queued page is fetched once the reason why it is not saved is gone`(
    _ warning: ArchiveError?, _ condition: String
  ) {
    #expect(EffectRunner.fetchCondition(after: warning) == condition)
  }
}
