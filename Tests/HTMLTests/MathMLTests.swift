import Document
import ReaderMode
import Testing

/// Formulas in MathML, as text on one line.
@Suite struct MathMLTests {
  private func text(_ body: String, mediaType: String = "text/html") -> String {
    let document = Document(bytes: Array("<p>\(body)</p>".utf8), mediaType: mediaType)
    #expect(document.problems == [])
    return String(decoding: document.plainText.dropLast(), as: UTF8.self)
  }

  @Test(arguments: ["m", "mml", "math"], ["text/html", "application/xhtml+xml"])
  func `elements with a namespace prefix are read as MathML`(prefix: String, mediaType: String) {
    let formula = """
      <P:math><P:mfrac><P:mn>1</P:mn><P:mn>2</P:mn></P:mfrac></P:math> cup, \
      <P:math><P:msup><P:mi>y</P:mi><P:mn>2</P:mn></P:msup></P:math>, \
      <P:math><P:msqrt><P:mn>9</P:mn></P:msqrt></P:math>
      """
    #expect(
      text(formula.replacing("P:", with: prefix + ":"), mediaType: mediaType)
        == "1/2 cup, y², √9")
  }

  @Test(arguments: ["o:p", "x:sub", "o:title", "m:r", "m:"])
  func `other elements with a prefix are only their text`(name: String) {
    #expect(text("a<\(name)>1</\(name)>b") == "a1b")
  }
}
