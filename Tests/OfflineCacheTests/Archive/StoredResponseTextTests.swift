import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite struct StoredResponseTextTests {
  @Test(arguments: [
    StoredResponse.Check.Result.unchanged, .replaced, .status(503), .suspect(.signInPage),
    .failed(TransportFailure(.timedOut)), .failed(TransportFailure(.other, "two words: and more")),
  ])
  func `results of checks are unchanged after formatting and parsing`(
    _ result: StoredResponse.Check.Result
  ) {
    #expect(StoredResponse.Check.Result(text: result.text) == result)
  }

  @Test(arguments: ["", " ", "status", "status x", "suspect", "else", "failed"])
  func `an invalid result of a check is nil`(_ text: String) {
    #expect(StoredResponse.Check.Result(text: text) == nil)
  }

  @Test func `an unknown rejection reason of a later version is still a rejection`() {
    #expect(StoredResponse.Check.Result(text: "suspect nothing") == .suspect(.otherKind))
  }

  @Test(arguments: [
    VaryingField(name: "accept", value: "text/html"),
    VaryingField(name: "accept", value: ""),
    VaryingField(name: "accept", value: nil),
    VaryingField(name: "x", value: "a: b, c"),
  ])
  func `varying fields are unchanged after formatting and parsing`(_ field: VaryingField) {
    #expect(VaryingField(text: field.text) == field)
  }
}
