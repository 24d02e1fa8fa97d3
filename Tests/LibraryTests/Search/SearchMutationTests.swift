import Configuration
@testable import Saving
import Crawl
@testable import Library
import Foundation
import TestNetwork
import TestSupport
import Testing

@testable import Profiles

/// Damage of any kind to the search index: nothing hangs, and every word is found.
@Suite struct SearchMutationTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private static let numbers = 0..<4
  private static func url(_ number: Int) -> String { "http://site\(number % 2).example/\(number)" }

  /// The results of all queries.
  private struct Answers: Equatable {
    var found: [[SearchIndex.Hit]]
    var recent: [String]
    var completed: [String]
    var titles: [String: String]
  }

  private func readAnswers(_ profile: Profile) throws -> Answers {
    let search = profile.search
    try search.catchUp()
    return Answers(
      found: try ["common", "word3", "title* site:site1.example"].map {
        try search.search(SearchQuery($0, timeZone: .current), limit: 10).sorted { $0.key < $1.key }
      },
      recent: try search.recent(limit: 10).map(\.key).sorted(),
      completed: try search.completions(of: "titl", limit: 10).map(\.title).sorted(),
      titles: try search.titles(of: Self.numbers.map(Self.url)))
  }

  @Test func `each of many damaged search indexes is rebuilt`() throws {
    for number in Self.numbers {
      network.add(
        Self.url(number), "<title>Title \(number)</title><p>The common word\(number) stands here.")
    }
    var profile = files.open(network)
    var request = SaveRequest(pages: Self.numbers.map(Self.url))
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).run().isComplete)
    let expected = try readAnswers(profile)
    #expect(expected.found.map(\.count) == [4, 1, 2])
    let file = profile.locations.searchIndex
    profile.close()
    let bytes = [UInt8](try Data(contentsOf: file))
    var mutator = DatabaseMutator(seed: 14, columns: ["page.date", "progress.row"])
    profile = files.open(network)
    var reportedCount = 0
    let rounds = Effort.rounds(500, part: 75)
    for round in 0..<rounds {
      let damageDescription = try mutator.write(bytes, damagedTo: file)
      #expect(throws: Never.self, "\(round): \(damageDescription)") {
        let responses = try readAnswers(profile)
        #expect(responses == expected, "\(round): \(damageDescription)")
      }
      profile.search.close()
      if !profile.drainNotices().isEmpty { reportedCount += 1 }
    }
    #expect(reportedCount > rounds * 3 / 5)
    profile.close()
  }
}
