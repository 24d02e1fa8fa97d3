import Testing

@testable import Session

/// The message shown when no program is known for a link.
@Suite struct OpeningAdviceTests {
  @Test(arguments: ["mailto", "gemini", "magnet", "tel", "web+coffee"])
  func `the message names the scheme and an example of a program`(scheme: String) {
    let text = EffectRunner.schemeAdvice(forScheme: scheme)
    #expect(text.hasPrefix("no program opens \(scheme): links; "))
    #expect(text.contains("BROWSER") && text.contains("opener"))
    #expect(text.contains("(BROWSER=") && text.hasSuffix(")"))
    // The message must fit on the last row of a small terminal.
    #expect(text.utf8.count <= 78)
  }
}
