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
    #expect(layers.top == .list(ListScreen(.library)) && layers.input == nil)
    layers.show(.letter(.setBookmark))
    #expect(layers.top == .letter(.setBookmark) && layers.list?.kind == .library)
    layers.close()
    layers.close()
    #expect(layers.top == .list(ListScreen(.library)))
  }

  @Test func `an input replaces another one`() {
    var layers = LayerStack()
    layers.show(.letter(.setBookmark))
    layers.show(.image(1))
    #expect(layers.top == .image(1))
    layers.close()
    #expect(layers.top == .page)
  }

  @Test func `closing help restores the list and the input below it`() {
    var layers = LayerStack()
    layers.list = ListScreen(.library)
    layers.show(.letter(.setBookmark))
    let before = layers
    layers.openHelp(about: .screen(.library))
    layers.list?.isLoading = true
    layers.show(.letter(.go))
    #expect(layers.list?.kind.screen == .help && layers.list?.isLoading == true)
    #expect(layers.belowHelp == before)
    layers.closeHelp()
    #expect(layers == before && before.belowHelp == before)
  }

  @Test func `a list that replaces help discards what was below it, but not the input on top`() {
    var layers = LayerStack()
    layers.list = ListScreen(.library)
    layers.show(.letter(.setBookmark))
    layers.openHelp(about: .typing(.bookmark))
    layers.show(.letter(.go))
    layers.list = ListScreen(.queue)
    #expect(layers.list?.kind == .queue && layers.belowHelp == layers)
    layers.list = nil
    #expect(layers.list == nil && layers.top == .letter(.go))
    layers.close()
    #expect(layers.top == .page)
  }

  @Test func `inputs that depend on the screen are closed below help, too`() {
    var layers = LayerStack()
    layers.show(.hints(Hints([(.link(0), "a")])))
    layers.openHelp(about: .typing(.letters))
    layers.show(.letter(.go))
    layers.close { $0.dependsOnLayout }
    #expect(layers.input == .letter(.go) && layers.belowHelp.top == .page)
  }

  @Test func `a selection is changed below help, too, and is closed with its page`() {
    let lines = MarkedText.lines(MarkedLines(start: 1, end: 2))
    let passage = MarkedText.passage(MarkedPassage(range: 3..<5))
    var layers = LayerStack()
    layers.show(.marking(lines))
    layers.openHelp(about: .typing(.marking))
    layers.close { $0.dependsOnLayout }
    layers.updateMarking { $0 == lines ? passage : nil }
    #expect(layers.belowHelp.top == .marking(passage))
    var closed = layers
    closed.updateMarking { _ in nil }
    #expect(closed.belowHelp.top == .page && closed.list != nil)
    layers.close { $0.dependsOnPage }
    #expect(layers.belowHelp.top == .page)
  }

  @Test func `a layer is updated only while it is open`() {
    var layers = LayerStack()
    layers.update(.page)
    layers.update(.letter(.go))
    #expect(layers.top == .page)
    layers.show(.letter(.setBookmark))
    layers.update(.letter(.go))
    #expect(layers.top == .letter(.go))
  }
}
