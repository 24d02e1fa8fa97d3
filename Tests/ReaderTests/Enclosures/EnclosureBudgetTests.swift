import Configuration
import Foundation
import Library
import Testing

@testable import Saving

/// The limits of enclosures.
@Suite struct EnclosureBudgetTests {
  private static func record(
    _ number: Int, size: Int64? = nil, declared: Int64? = nil, isComplete: Bool = false
  ) -> EnclosureRecord {
    var record = EnclosureRecord(
      url: "https://a.example/\(number).mp3", feed: "https://a.example/feed",
      item: "https://a.example/\(number)", mediaType: "audio/mpeg",
      date: Date(timeIntervalSince1970: Double(number)))
    (record.size, record.declaredSize) = (size, declared)
    if isComplete { record.state = .complete }
    return record
  }

  /// Creates the budget of a feed with complete files of 100 bytes each.
  private static func budget(
    files: Int = 0, fileLimit: Int64 = 1000, feedLimit: Int64 = 1000,
    mayRemove: (EnclosureRecord) -> Bool = { _ in false }
  ) -> EnclosureBudget {
    var policy = EnclosurePolicy()
    (policy.fileLimit, policy.feedLimit) = (fileLimit, feedLimit)
    let stored = (0..<files).map { number in
      EnclosureBudget.StoredFile(
        record: record(number, size: 100, isComplete: true), size: 100)
    }
    return EnclosureBudget(policy, stored, mayRemove: mayRemove)
  }

  @Test func `the smaller limit applies`() {
    var budget = Self.budget(files: 3, fileLimit: 500)
    #expect(
      budget.decide(about: Self.record(9), partSize: 0)
        == .fetch(.init(maxSize: 500, failure: .fileLimit), removing: []))
    var other = Self.budget(files: 8, fileLimit: 500)
    #expect(
      other.decide(about: Self.record(9), partSize: 0)
        == .fetch(.init(maxSize: 200, failure: .feedLimit), removing: []))
  }

  @Test func `a file that the server declared too large is not requested`() {
    var budget = Self.budget(fileLimit: 500)
    #expect(
      budget.decide(about: Self.record(9, size: 501), partSize: 0) == .refuse(.fileLimit))
    // The size that the feed declares may be wrong.
    #expect(
      budget.decide(about: Self.record(9, declared: 5000), partSize: 0)
        == .fetch(.init(maxSize: 500, failure: .fileLimit), removing: []))
  }

  @Test func `a partial file is not counted twice`() {
    var policy = EnclosurePolicy()
    (policy.fileLimit, policy.feedLimit) = (1000, 300)
    let record = Self.record(1, size: 250)
    var budget = EnclosureBudget(policy, [.init(record: record, size: 200)]) { _ in false }
    #expect(
      budget.decide(about: record, partSize: 200)
        == .fetch(.init(maxSize: 300, failure: .feedLimit), removing: []))
  }

  @Test func `the oldest files that may be removed make room, and no more than needed`() {
    var budget = Self.budget(files: 10) { $0.url.contains("/2.") || $0.url.contains("/5.") }
    let decision = budget.decide(about: Self.record(20, declared: 80), partSize: 0)
    guard case .fetch(let limit, let removed) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(limit == .init(maxSize: 100, failure: .feedLimit))
    #expect(removed.map(\.record.url) == ["https://a.example/2.mp3"])
    budget.record(80, insteadOf: 0)
    #expect(budget.usedSize == 980)
    guard
      case .fetch(_, let next) = budget.decide(about: Self.record(21, size: 100), partSize: 0)
    else {
      Issue.record("not fetched")
      return
    }
    #expect(next.map(\.record.url) == ["https://a.example/5.mp3"])
    #expect(
      budget.decide(about: Self.record(22, size: 150), partSize: 0) == .refuse(.feedLimit))
  }

  @Test func `nothing is removed for a file that does not fit anyway`() {
    var budget = Self.budget(files: 10) { $0.url.contains("/2.") }
    #expect(
      budget.decide(about: Self.record(20, size: 150), partSize: 0) == .refuse(.feedLimit))
    #expect(budget.usedSize == 1000)
    #expect(budget.decide(about: Self.record(20), partSize: 0) == .refuse(.feedLimit))
  }

  @Test func `files that are not removed still count after the limit was lowered`() {
    var budget = Self.budget(files: 10, feedLimit: 500) { _ in true }
    #expect(budget.decide(about: Self.record(20), partSize: 0) == .refuse(.feedLimit))
    #expect(budget.usedSize == 1000)
  }

  @Test(arguments: [Int64.max, 1000, 1, 0])
  func `above the limit of the feed, any declared size is handled`(_ declared: Int64) {
    var budget = Self.budget(files: 10, feedLimit: 500)
    #expect(
      budget.decide(about: Self.record(20, declared: declared), partSize: 0) == .refuse(.feedLimit))
    var other = Self.budget(files: 10, feedLimit: 500) { _ in true }
    #expect(
      other.decide(about: Self.record(20, size: .max), partSize: 0) == .refuse(.fileLimit))
    #expect(other.decide(about: Self.record(20, size: 501), partSize: 0) == .refuse(.feedLimit))
    #expect(other.usedSize == 1000)
  }

  @Test func `a declared size above a limit removes no files, and one below it does`() {
    for size: Int64 in [1001, .max] {
      var budget = Self.budget(files: 9) { _ in true }
      #expect(
        budget.decide(about: Self.record(20, declared: size), partSize: 0)
          == .fetch(.init(maxSize: 100, failure: .feedLimit), removing: []))
    }
    var budget = Self.budget(files: 9) { _ in true }
    let decision = budget.decide(about: Self.record(20, declared: 150), partSize: 0)
    guard case .fetch(_, let removed) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(removed.count == 1)
  }

  @Test func `files that are not complete are not removed`() {
    var policy = EnclosurePolicy()
    policy.feedLimit = 100
    let part = Self.record(1, size: 100)
    var budget = EnclosureBudget(policy, [.init(record: part, size: 100)]) { _ in true }
    #expect(budget.decide(about: Self.record(2, size: 10), partSize: 0) == .refuse(.feedLimit))
  }

  @Test func `a policy is that of the last rules that apply`() {
    var (all, one) = (FeedRule(), FeedRule())
    (all.enclosures, all.fileLimit) = (.all, 5)
    (one.urlGlobs, one.enclosures) = (["https://b.example/*"], EnclosurePolicy.Choice.none)
    var settings = Settings()
    #expect(!settings.fetchesEnclosures)
    #expect(settings.enclosurePolicy(ofFeed: "https://a.example/feed") == EnclosurePolicy())
    settings.feeds = [all, one]
    #expect(settings.fetchesEnclosures)
    let policy = settings.enclosurePolicy(ofFeed: "https://a.example/feed")
    #expect(policy.choice == .all && policy.fileLimit == 5 && policy.feedLimit == 2_000_000_000)
    #expect(settings.enclosurePolicy(ofFeed: "https://b.example/feed").choice == .none)
  }

  @Test(
    arguments: [
      (EnclosurePolicy.Choice.none, []), (.audio, [.audio]), (.video, [.video]),
      (.all, [.audio, .video]),
    ] as [(EnclosurePolicy.Choice, [EnclosureRecord.Kind])])
  func `a choice selects kinds of files`(
    _ choice: EnclosurePolicy.Choice, _ kinds: [EnclosureRecord.Kind]
  ) {
    var policy = EnclosurePolicy()
    policy.choice = choice
    let all: [EnclosureRecord.Kind] = [.audio, .video]
    #expect(all.filter { policy.selects($0) } == kinds && !policy.selects(nil))
  }
}
