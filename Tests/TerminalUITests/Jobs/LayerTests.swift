import Commands
import Configuration
import Document
import Layout
import OfflineCache
import Pages
import Sandbox
import Terminal
import Testing

@testable import TerminalUI

/// The layers as values: keys and the requests that they result in.
@Suite struct LayerTests {
  private static let context = LayerContext(
    keymap: Keymap(), view: nil, height: 20, viewport: ListScreen.Viewport(rows: 10, gap: 0),
    count: nil,
    inputHistory: InputHistory(), settings: Settings(), themeNames: ["nord", "auto"],
    pageSearch: PageSearch(),
    notice: nil, glyphs: Glyphs(isASCII: true, isLinear: false))

  private static func handle(
    _ keys: String, _ layer: inout Layer, _ context: LayerContext = context
  ) throws -> [LayerRequest] {
    try keys.split(separator: " ").flatMap { name in
      layer.handle(try #require(Key(String(name))), in: context)
    }
  }

  private static func prompt(_ kind: Prompt.Kind, _ text: String = "") -> Prompt {
    var prompt = Prompt(kind: kind, editor: LineEditor())
    prompt.editor.replace(with: text)
    return prompt
  }

  @Test func `a prompt is closed before its text is used`() throws {
    var layer = Layer.prompt(Self.prompt(.search, "a"))
    let requests = try Self.handle("b Enter", &layer)
    let typed = Self.prompt(.search, "ab")
    #expect(requests == [.updatePrompt(typed), .close, .submitPrompt(typed)])
  }

  @Test func `a prompt that is given up is closed before it is undone`() throws {
    var layer = Layer.prompt(Self.prompt(.find(isForward: true), "a"))
    let requests = try Self.handle("Esc", &layer)
    #expect(requests == [.close, .abandonPrompt(Self.prompt(.find(isForward: true), "a"))])
  }

  @Test func `earlier texts and completions replace the text of a prompt`() throws {
    var context = Self.context
    context.inputHistory.record("old", in: .search)
    var layer = Layer.prompt(Self.prompt(.search, "new"))
    let requests = try Self.handle("Up Down", &layer, context)
    guard case .updatePrompt(let first)? = requests.first,
      case .updatePrompt(let last)? = requests.last
    else {
      Issue.record("\(requests)")
      return
    }
    #expect(first.editor.text == "old" && last.editor.text == "new")

    var command = Self.prompt(.commandLine, "theme n")
    command.completions = context.completions(for: command)
    layer = .prompt(command)
    #expect(try Self.handle("Tab", &layer, context) == [])
    guard case .prompt(let complete) = layer else { return }
    #expect(complete.editor.text == "theme nord")
  }

  @Test(
    arguments: [
      ("set them", ["set theme"]), ("set theme ", ["set theme nord", "set theme auto"]),
      ("set theme=n", ["set theme=nord"]), ("set display.theme a", ["set display.theme auto"]),
      ("set linear ", ["set linear true", "set linear false"]),
      ("set color al", ["set color always"]), ("set width ", []), ("set none ", []),
    ] as [(String, [String])])
  func `names and values of settings are completed`(_ text: String, _ completions: [String]) {
    let items = Self.context.completions(for: Self.prompt(.commandLine, text)).items
    #expect(items.map(\.text) == completions)
  }

  @Test func `Tab in a field leaves it for the next one`() throws {
    let field = Prompt.FormField(control: 3, label: "Name", isSecret: false, maxLength: nil)
    var layer = Layer.prompt(Self.prompt(.formField(field), "x"))
    #expect(try Self.handle("Tab", &layer) == [.close, .leaveField(field, text: "x", by: 1)])
    #expect(try Self.handle("S-Tab", &layer) == [.close, .leaveField(field, text: "x", by: -1)])
  }

  @Test func `labels of links are typed, and others are reported`() throws {
    let positions: [(target: PageLayout.Target, url: String)] = (0..<30).map {
      (.link($0), "\($0)")
    }
    var layer = Layer.hints(Hints(positions))
    #expect(try Self.handle("a d", &layer) == [.close, .useHintTarget(.link(2), .follow)])
    layer = .hints(Hints(positions))
    #expect(try Self.handle("q", &layer) == [.close])
    layer = .hints(Hints(positions))
    #expect(try Self.handle("1", &layer) == [.close, .notify("no link has the label 1")])
  }

  @Test(
    arguments: [
      ("a", [LayerRequest.close, .useLetter("a", .setBookmark)]), ("Enter", [.close]),
      ("C-x", [.close]),
    ] as [(String, [LayerRequest])])
  func `a mark is one letter`(key: String, requests: [LayerRequest]) throws {
    var layer = Layer.bookmarkLetter(.setBookmark)
    #expect(try Self.handle(key, &layer) == requests)
  }

  @Test(
    arguments: [
      ("y", [LayerRequest.close, .performQuestionAction(.resendRequest)]),
      ("Y", [.close, .performQuestionAction(.resendRequest)]),
      ("n", [.close, .notify("not sent")]), ("Esc", [.close, .notify("not sent")]),
      ("M-y", [.close, .notify("not sent")]),
    ] as [(String, [LayerRequest])])
  func `only y agrees to send a form`(key: String, requests: [LayerRequest]) throws {
    var layer = Layer.question(Question(text: "Send?", action: .resendRequest))
    #expect(try Self.handle(key, &layer) == requests)
  }

  @Test func `the question about cookies passes other keys on, and repeats n after a search`()
    throws
  {
    var question = Question(cookiesOf: "a.test", separator: " - ")
    let early = question.handle(.character("y"), in: Self.context)
    #expect(early == [.handleBelow(.character("y"), question)])
    question.wasDrawn = true
    var layer = Layer.question(question)
    #expect(try Self.handle("j", &layer) == [.close, .handleKey(.character("j"))])
    #expect(try Self.handle("Esc", &layer) == [.close])
    #expect(try Self.handle("a", &layer) == [.close, .storeCookieChoice(.always, site: "a.test")])
    var context = Self.context
    context.pageSearch.setQuery("text", isForward: true)
    #expect(try Self.handle("n", &layer, context) == [])
    #expect(
      try Self.handle("n", &layer, context) == [.close, .storeCookieChoice(.never, site: "a.test")])
  }

  @Test func `every key closes an image or a preview, and Enter follows`() throws {
    var layer = Layer.fullScreenImage(4)
    #expect(try Self.handle("j", &layer) == [.close])
    #expect(try Self.handle("Enter", &layer) == [.close, .openImage(4)])
    var preview = Preview(target: .link(2), texts: [])
    preview.load = LoadID(7)
    layer = .preview(preview)
    #expect(try Self.handle("j", &layer) == [.close, .effect(.cancelLoad(LoadID(7)))])
    let followed = try Self.handle("Enter", &layer)
    #expect(followed == [.close, .effect(.cancelLoad(LoadID(7))), .followTarget(.link(2))])
  }

  @Test func `a filter is edited until Enter opens an entry or an arrow leads to the entries`()
    throws
  {
    var list = ListScreen(.library)
    list.replaceEntries(
      ["one", "two", "three"].map { ListEntry($0, to: .page($0)) }, widths: DisplayWidth())
    list.isFiltering = true
    var layer = Layer.list(list)
    #expect(try Self.handle("t w", &layer) == [])
    guard case .list(let filtered) = layer else { return }
    #expect(filtered.selectedEntry?.title == "two" && filtered.entryCounts.shown == 1)
    #expect(try Self.handle("Enter", &layer) == [.openEntry])
    #expect(!layer.helpSubject.isAboutTyping)
    layer = .list(filtered)
    #expect(try Self.handle("Down", &layer) == [])
    layer = .list(filtered)
    #expect(try Self.handle("Esc", &layer) == [])
    guard case .list(let cleared) = layer else { return }
    #expect(cleared.entryCounts.shown == 3 && !cleared.isFiltering)
  }

  @Test func `the selected entry stays selected when other entries are inserted`() {
    var list = ListScreen(.messages)
    func show(_ titles: String..., target: ListEntry.Target = .nowhere) {
      list.replaceEntries(titles.map { ListEntry($0, to: target) }, widths: DisplayWidth())
    }
    show("c", "b", "a")
    list.move(by: 1, viewport: Self.context.viewport)
    show("e", "d", "c", "b", "a")
    #expect(list.selectedEntry?.title == "b")
    // Of equal entries, the nearest one is selected; if none is left, the one at the same position.
    show("b", "x", "b", "b", "a")
    #expect(list.selectedIndex == 3)
    show("1", "2", "3", "4", "5")
    #expect(list.selectedEntry?.title == "4")
    show("6", "7", "8", "9", target: .page("https://a.test/"))
    #expect(list.selectedEntry?.title == "9")
  }

  @Test func `the selected entry stays selected when a filter is removed`() {
    var list = ListScreen(.library)
    let entries = (0..<40).map { ListEntry("Page \($0)", to: .page("\($0)")) }
    list.replaceEntries(entries, widths: DisplayWidth())
    let viewport = Self.context.viewport
    func perform(_ command: Command, _ argument: String? = nil, count: Int? = nil) {
      _ = list.handle(
        command, CommandInput(count: count, argument: argument), viewport: viewport)
    }
    perform(.findForward, "page 3")
    #expect(list.selectedEntry?.title == "Page 3")
    perform(.lineDown, count: 4)
    perform(.cancel)
    #expect(list.selectedEntry?.title == "Page 31" && list.entryCounts.shown == 40)
    #expect(list.visibleEntries(viewport: viewport).contains { $0.index == list.selectedIndex })
    // A filter that matches nothing does not change the selection, also if entries are removed.
    perform(.findForward, "nothing")
    #expect(list.selectedEntry == nil)
    list.replaceEntries(Array(entries.dropFirst(10)), widths: DisplayWidth())
    perform(.cancel)
    #expect(list.selectedEntry?.title == "Page 31" && list.entryCounts.shown == 30)
    // Another filter selects its first match.
    perform(.findForward, "page")
    #expect(list.selectedEntry?.title == "Page 10")
  }

  @Test func `moves change the selection of a list, and other commands are requested`() {
    var list = ListScreen(.library)
    list.replaceEntries(
      (0..<30).map { ListEntry("\($0)", to: .page("\($0)")) }, widths: DisplayWidth())
    func chosen(_ command: Command, _ count: Int? = nil) -> Int {
      let requests = list.handle(
        command, CommandInput(count: count), viewport: Self.context.viewport)
      #expect(requests == [])
      return list.selectedIndex
    }
    #expect(chosen(.lineDown, 3) == 3)
    #expect(chosen(.lineUp) == 2)
    #expect(chosen(.bottom) == 29)
    #expect(chosen(.top, 5) == 4)
    #expect(chosen(.pageDown) > 10)
    let width = Self.context.viewport
    #expect(list.handle(.follow, CommandInput(count: 2), viewport: width) == [.openEntry])
    #expect(list.selectedIndex == 1)
    #expect(list.handle(.quit, CommandInput(), viewport: width) == [.closeList(.quit)])
    #expect(
      list.handle(.tag, CommandInput(argument: "x"), viewport: width) == [
        .performOnEntry(.setTags, argument: "x")
      ])
    #expect(
      list.handle(.theme, CommandInput(argument: "x"), viewport: width)
        == [.performOnPage(.theme, count: nil, argument: "x")])
  }

  @Test func `help opens by characters only where they are not input`() throws {
    let (key, function) = (Key.character("H"), try #require(Key("F1")))
    var list = ListScreen(.library)
    list.isFiltering = true
    var filtered = Hints([(.link(0), "a")])
    filtered.filter = LineEditor()
    let layers: [(Layer, byCharacter: Bool, byKey: Bool)] = [
      (.page, false, false), (.list(ListScreen(.library)), false, false),
      (.list(list), false, true), (.prompt(Self.prompt(.openURL)), false, true),
      (.bookmarkLetter(.goToBookmark), false, true),
      (.question(Question(text: "", action: .resendRequest)), true, true),
      (.selection(.lines(SelectedLines(anchorLine: 0, movingLine: 0))), true, true),
      (.fullScreenImage(0), false, false),
      (.hints(Hints([(.link(0), "a")])), true, true), (.hints(filtered), false, true),
    ]
    for (layer, byCharacter, byKey) in layers {
      #expect(layer.opensHelp(by: key) == byCharacter, "\(layer)")
      #expect(layer.opensHelp(by: function) == byKey, "\(layer)")
    }
  }
}

extension HelpSubject {
  fileprivate var isAboutTyping: Bool { if case .inputContext = self { true } else { false } }
}
