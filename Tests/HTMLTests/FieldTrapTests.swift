import ReaderMode
import Testing

@testable import Document

/// Fields that pages keep out of sight, so that only programs fill them in.
@Suite struct FieldTrapTests {
  private static func controls(_ fields: String) -> (shown: Int, all: Int) {
    let html =
      "<style>.far{position:absolute;left:-9999px}</style><p>Write to us.<form action=/s>"
      + "<input name=a>\(fields)</form>"
    let forms = Document(bytes: Array(html.utf8), mediaType: "text/html").forms
    return (forms.controlSpans.count, forms.controls.count)
  }

  @Test(arguments: [
    "<div style='position: absolute; left: -5000px' aria-hidden=true><input name=b></div>",
    "<p class=far><input name=b></p>", "<input name=b class=far>",
    "<input name=b aria-hidden=true tabindex=-1>", "<textarea name=b aria-hidden=true></textarea>",
  ])
  func `a field out of sight is not shown, but sent with the form`(_ field: String) {
    let counts = Self.controls(field)
    #expect(counts.shown == 1 && counts.all == 2)
  }

  @Test(arguments: [
    "<input name=b>", "<div style='position: absolute; left: 20px'><input name=b></div>",
    "<label>Yes <input type=checkbox name=b class=far></label>",
    "<select name=b aria-hidden=true><option>1</select>",
    "</form><form action=/s><input type=search name=b class=far>",
  ])
  func `other controls are shown`(_ field: String) {
    let counts = Self.controls(field)
    #expect(counts.shown == 2 && counts.all == 2)
  }

  @Test(
    arguments: [
      ("<p class=far><label for=b>LABEL</label><input id=b name=b></p>", false),
      ("<p class=far><label>LABEL <input name=b></label></p>", false),
      ("<p><label for=b class=far>LABEL</label><input id=b name=b></p>", true),
      ("<p class=far><label>LABEL <input type=checkbox name=b></label></p>", true),
      ("<p class=far><label>LABEL <input name=b></label><input name=c></p>", true),
    ] as [(String, Bool)])
  func `the label of a field out of sight is not shown`(_ field: String, _ isShown: Bool) {
    let html =
      "<style>.far{position:absolute;left:-9999px}</style><p>Write to us.<form action=/s>"
      + "<input name=a>\(field)</form>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.content.contains("LABEL") == isShown)
    #expect(document.forms.controls.contains { $0.name == "b" })
  }

  @Test func `the fields of a hidden step of a form are shown`() {
    #expect(Self.controls("<div aria-hidden=true><input name=b><input name=c></div>").shown == 3)
  }
}
