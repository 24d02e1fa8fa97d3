import HTML
import TestSupport
import Testing

struct DocumentGoldenTests {
  @Test("A page becomes the expected document", arguments: GoldenCase.all(in: "Fixtures"))
  func golden(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html")
    let difference = try golden.difference(from: document.dump())
    #expect(difference == nil, "\(difference ?? "")")
    #expect(document.problems == [])
  }
}
