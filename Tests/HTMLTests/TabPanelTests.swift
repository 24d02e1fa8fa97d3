import Testing

/// Tab panels whose markup has no roles, as component libraries of older sites write them.
@Suite struct TabPanelTests {
  private static let styles =
    "<style>.tab-pane,.tabcontent,.pane{display:none}.active{display:block}</style>"
  private static let tabs = "<ul><li><a href='#b'>Bash</a><li><a href='#p'>Python</a></ul>"

  @Test(
    arguments: [
      (
        tabs
          + "<div><div class='tab-pane active' id=b>sh</div><div class=tab-pane id=p>py</div></div>",
        "Bash|Python|sh|Python|py"
      ),
      (tabs + "<div class='tab-pane fade' id=p><h3>Python</h3>py</div>", "Bash|Python|Python|py"),
      (tabs + "<div class=tab-pane id=x>one</div>", "Bash|Python|one"),
      ("<button>A</button><div class=tabcontent>one</div>", "[A]|one"),
      ("<p>a<div class=tab-pane></div>", "a"),
      (tabs + "<div class=pane id=p>hidden</div>", "Bash|Python"),
    ] as [(String, String)])
  func `hidden panels with a common class are shown with the text of the link to them`(
    _ html: String, _ expected: String
  ) {
    #expect(ComponentTests.leaves(Self.styles + html) == expected)
  }
}
