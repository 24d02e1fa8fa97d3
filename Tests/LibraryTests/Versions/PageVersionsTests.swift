import Saving
@testable import Library
import Foundation
import OfflineCache
import Testing

@Suite struct PageVersionsTests {
  /// Versions as single letters, newest first. Lowercase ones are not trusted.
  private func versions(_ letters: String) -> PageVersions {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    return PageVersions(
      url: "https://a.test/",
      all: letters.enumerated().map { index, letter in
        let then = date - Double(index) * 86_400
        return SavedVersion(
          response: StoredResponse(
            id: String(letter), key: "https://a.test/",
            response: ResponseHead(status: letter.isLowercase ? 503 : 200), requestTime: then,
            responseTime: then, contentDate: then),
          isDamaged: false, segment: "a", offset: 0)
      })
  }

  @Test(
    arguments: [
      ("ABC", "A", -1, "B"), ("ABC", "A", -2, "C"), ("ABC", "A", -9, "C"), ("ABC", "C", -1, nil),
      ("ABC", "A", 1, nil), ("ABC", "C", 1, "B"), ("ABC", "C", 9, "A"), ("ABC", "B", 1, "A"),
      // Untrusted versions are skipped, but steps can start from them in both directions.
      ("AxB", "A", -1, "B"), ("AxB", "B", 1, "A"), ("AxB", "x", -1, "B"), ("AxB", "x", 1, "A"),
      ("xAB", "x", -1, "A"), ("xAB", "x", 1, nil), ("ABx", "x", -1, nil), ("ABx", "x", 1, "B"),
      // A page that is not saved is newer than all versions.
      ("AB", nil, -1, "A"), ("AB", nil, -2, "B"), ("AB", nil, 1, nil), ("", nil, -1, nil),
      ("x", "x", -1, nil), ("x", "x", 1, nil),
    ] as [(String, String?, Int, String?)])
  func `steps lead from version to version`(
    _ all: String, _ from: String?, _ steps: Int, _ expected: String?
  ) {
    #expect(versions(all).version(steps, from: from)?.response.id == expected)
  }

  @Test func `the oldest trusted version is number 1`() {
    let versions = versions("AxBC")
    #expect(versions.number(of: "A") == 3 && versions.number(of: "C") == 1)
    #expect(versions.number(of: "x") == nil && versions.number(of: nil) == nil)
    #expect(versions.version("x")?.distrustReason == "status 503")
    #expect(versions.version("A")?.distrustReason == nil)
  }
}
