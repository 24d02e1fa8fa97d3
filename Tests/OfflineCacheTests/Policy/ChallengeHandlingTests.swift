import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("The handling of authentication challenges")
struct ChallengeHandlingTests {
  private static let url = WebRequest(url: "http://h/").url
  private static let challenge = Sample.response(401, [("WWW-Authenticate", "Basic realm=\"r\"")])
  private static let unsupported = Sample.response(401, [("WWW-Authenticate", "Mystery realm=x")])

  @Test func `challenges that the client handles are neither answered nor recorded`() {
    var challenges = ChallengeHandling.passedOn
    #expect(!challenges.choosesCredentials)
    #expect(!challenges.mayAnswer(Self.challenge))
    challenges.recordAnswer()
    challenges.recordUnanswered(Self.challenge, from: Self.url)
    #expect(challenges == .passedOn)
    #expect(challenges.unanswered == nil)
  }

  @Test func `at most two challenges are answered`() {
    var challenges = ChallengeHandling.answered(count: 0, unanswered: nil)
    for _ in 0..<2 {
      #expect(challenges.mayAnswer(Self.challenge))
      challenges.recordAnswer()
    }
    #expect(!challenges.mayAnswer(Self.challenge))
    #expect(challenges.choosesCredentials)
  }

  @Test(arguments: [200, 302, 403, 407, 500])
  func `only status 401 is a challenge`(_ status: Int) {
    var challenges = ChallengeHandling.answered(count: 0, unanswered: nil)
    let response = Sample.response(status, [("WWW-Authenticate", "Basic realm=\"r\"")])
    #expect(!challenges.mayAnswer(response))
    challenges.recordUnanswered(response, from: Self.url)
    #expect(challenges.unanswered == nil)
  }

  @Test func `the latest response determines the challenge that was not answered`() {
    var challenges = ChallengeHandling.answered(count: 0, unanswered: nil)
    challenges.recordUnanswered(Self.challenge, from: Self.url)
    #expect(challenges.unanswered?.url == Self.url)
    #expect(challenges.unanswered?.challenges.map(\.realm) == ["r"])
    challenges.recordAnswer()
    #expect(challenges.unanswered != nil)
    challenges.recordUnanswered(Self.unsupported, from: Self.url)
    #expect(challenges == .answered(count: 1, unanswered: nil))
  }

  @Test(
    arguments: [
      ("GET", false, false), ("HEAD", false, false), ("POST", false, true), ("GET", true, true),
    ] as [(String, Bool, Bool)])
  func `a chain that began with a form is private once it sends its cookies`(
    _ method: String, _ isAfterForm: Bool, _ submitsForm: Bool
  ) {
    var step = RedirectStep(request: Sample.request(method), options: LoadOptions())
    step.isAfterForm = isAfterForm
    var chain = RequestChain(step)
    #expect(chain.submitsForm == submitsForm)
    #expect(!chain.isPrivate)
    chain.cookieHeader = "a=b"
    #expect(chain.isPrivate == submitsForm)
  }
}
