import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite struct StoredResponseTextTests {
  @Test(arguments: [
    StoredResponse.Check.Result.unchanged, .replaced, .status(503), .suspect(.signInPage),
    .failed(TransportFailure(.timedOut)), .failed(TransportFailure(.other, "two words: and more")),
  ])
  func `results of checks are read as they were written`(_ result: StoredResponse.Check.Result) {
    #expect(StoredResponse.Check.Result(text: result.text) == result)
  }

  @Test(arguments: ["", " ", "status", "status x", "suspect", "else", "failed"])
  func `what is no result is not read`(_ text: String) {
    #expect(StoredResponse.Check.Result(text: text) == nil)
  }

  @Test func `a suspicion of a later version stays one`() {
    #expect(StoredResponse.Check.Result(text: "suspect nothing") == .suspect(.otherKind))
  }

  @Test(arguments: [
    VaryingField(name: "accept", value: "text/html"),
    VaryingField(name: "accept", value: ""),
    VaryingField(name: "accept", value: nil),
    VaryingField(name: "x", value: "a: b, c"),
  ])
  func `varying fields are read as they were written`(_ field: VaryingField) {
    #expect(VaryingField(text: field.text) == field)
  }
}
