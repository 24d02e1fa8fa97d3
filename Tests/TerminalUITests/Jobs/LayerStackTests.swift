import Commands
import Layout
import Terminal
import Testing

@testable import TerminalUI

@Suite struct LayerStackTests {
  @Test func `keys go to the page, to the list over it, and to the input over both`() {
    var layers = LayerStack()
    #expect(layers.top == .page)
    layers.list = ListScreen(.library)
    #expect(layers.top == .list(ListScreen(.library)) && layers.topInput == nil)
    layers.showInput(.bookmarkLetter(.setBookmark))
    #expect(layers.top == .bookmarkLetter(.setBookmark) && layers.list?.kind == .library)
    layers.closeInput()
    layers.closeInput()
    #expect(layers.top == .list(ListScreen(.library)))
  }

  @Test func `an input replaces another one`() {
    var layers = LayerStack()
    layers.showInput(.bookmarkLetter(.setBookmark))
    layers.showInput(.fullScreenImage(1))
    #expect(layers.top == .fullScreenImage(1))
    layers.closeInput()
    #expect(layers.top == .page)
  }

  @Test func `closing help restores the list and the input below it`() {
    var layers = LayerStack()
    layers.list = ListScreen(.library)
    layers.showInput(.bookmarkLetter(.setBookmark))
    let before = layers
    layers.openHelp(about: .screen(.library))
    layers.list?.loadState = .loading
    layers.showInput(.bookmarkLetter(.goToBookmark))
    #expect(layers.list?.kind.screen == .help && layers.list?.isLoading == true)
    #expect(layers.belowHelp == before)
    layers.closeHelp()
    #expect(layers == before && before.belowHelp == before)
  }

  @Test func `a list that replaces help discards what was below it, but not the input on top`() {
    var layers = LayerStack()
    layers.list = ListScreen(.library)
    layers.showInput(.bookmarkLetter(.setBookmark))
    layers.openHelp(about: .inputContext(.setBookmarkLetter))
    layers.showInput(.bookmarkLetter(.goToBookmark))
    layers.list = ListScreen(.queue)
    #expect(layers.list?.kind == .queue && layers.belowHelp == layers)
    layers.list = nil
    #expect(layers.list == nil && layers.top == .bookmarkLetter(.goToBookmark))
    layers.closeInput()
    #expect(layers.top == .page)
  }

  @Test func `inputs that depend on the screen are closed below help, too`() {
    var layers = LayerStack()
    layers.showInput(.hints(Hints([(.link(0), "a")])))
    layers.openHelp(about: .inputContext(.hintLetters))
    layers.showInput(.bookmarkLetter(.goToBookmark))
    layers.closeInputs { $0.dependsOnLayout }
    #expect(layers.topInput == .bookmarkLetter(.goToBookmark) && layers.belowHelp.top == .page)
  }

  @Test func `a selection is changed below help, too, and is closed with its page`() {
    let lines = TextSelection.lines(SelectedLines(anchorLine: 1, movingLine: 2))
    let passage = TextSelection.passage(SelectedPassage(range: 3..<5))
    var layers = LayerStack()
    layers.showInput(.selection(lines))
    layers.openHelp(about: .inputContext(.selection))
    layers.closeInputs { $0.dependsOnLayout }
    layers.updateSelection { $0 == lines ? passage : nil }
    #expect(layers.belowHelp.top == .selection(passage))
    var closed = layers
    closed.updateSelection { _ in nil }
    #expect(closed.belowHelp.top == .page && closed.list != nil)
    layers.closeInputs { $0.dependsOnPage }
    #expect(layers.belowHelp.top == .page)
  }

  @Test func `a layer is updated only while it is open`() {
    var layers = LayerStack()
    layers.updateTop(.page)
    layers.updateTop(.bookmarkLetter(.goToBookmark))
    #expect(layers.top == .page)
    layers.showInput(.bookmarkLetter(.setBookmark))
    layers.updateTop(.bookmarkLetter(.goToBookmark))
    #expect(layers.top == .bookmarkLetter(.goToBookmark))
  }
}
