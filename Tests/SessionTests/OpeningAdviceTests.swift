import Testing

@testable import Session

/// The message shown when no program is known for a link.
@Suite struct OpeningAdviceTests {
  @Test(arguments: ["mailto", "gemini", "magnet", "tel", "web+coffee"])
  func `the message names the scheme and an example of a program`(scheme: String) {
    let words = EffectRunner.advice(forScheme: scheme)
    #expect(words.hasPrefix("no program opens \(scheme): links; "))
    #expect(words.contains("BROWSER") && words.contains("opener"))
    #expect(words.contains("(BROWSER=") && words.hasSuffix(")"))
    // The message must fit on the last row of a small terminal.
    #expect(words.utf8.count <= 78)
  }
}
