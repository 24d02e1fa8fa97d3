import Commands
import Configuration
import Layout
import Terminal

/// Keys go to the layer on top; its requests are carried out here.
extension Browser {
  /// Handles a key: opens help, adds a digit to the count, or passes the key to the layer on top.
  mutating func handle(_ key: Key) -> [Effect] {
    var layer = layers.top
    let isText = layer.acceptsText && key.modifiers.isEmpty
    let key = isText ? key : keymap.commandKey(for: key)
    if keymap[key] == .help, layer.opensHelp(by: key) { return openHelp() }
    if layer.acceptsCounts, addDigit(key) { return [] }
    let count = layer.acceptsCounts ? consumeCount() : nil
    let requests = layer.handle(key, in: layerContext(for: layer, count: count))
    layers.updateTop(layer)
    return carryOut(requests)
  }

  /// Returns the state on which the effect of a key depends.
  /// - Parameters:
  ///   - layer: The layer that handles the key.
  ///   - count: The number typed before the key; nil for none.
  /// - Returns: The state.
  func layerContext(for layer: Layer, count: Int? = nil) -> LayerContext {
    var context = LayerContext(
      keymap: keymap, view: view, height: bodyHeight, count: count, inputHistory: inputHistory,
      settings: settings, themeNames: appearance.themeNames + [Theme.automaticName],
      pageSearch: pageSearch,
      notice: notice?.text, glyphs: glyphs)
    if case .list = layer { context.viewport = listViewport }
    return context
  }

  /// Carries out the requests of a layer in order.
  mutating func carryOut(_ requests: [LayerRequest]) -> [Effect] {
    var effects: [Effect] = []
    for request in requests { effects += carryOut(request) }
    return effects
  }

  private mutating func carryOut(_ request: LayerRequest) -> [Effect] {
    switch request {
    case .close: layers.closeInput()
    case .effect(let effect): return [effect]
    case .notify(let text, let isError): notify(text, isError: isError)
    case .performCommandLine(let line, let count): return perform(line, count: count)
    case .updatePrompt(let prompt): updatePromptResults(prompt)
    case .submitPrompt(let prompt): return submitPrompt(prompt)
    case .abandonPrompt(let prompt): return abandonPrompt(prompt)
    case .leaveField(let field, let text, let steps): leaveField(field, text: text, by: steps)
    case .useLetter(let letter, let use): return useLetter(letter, for: use)
    case .followTarget(let target): return follow(target)
    case .useHintTarget(let target, let purpose): return performLinkAction(target, for: purpose)
    case .openImage(let image): return openImage(image)
    case .performQuestionAction(let action): return performQuestionAction(action)
    case .storeCookieChoice(let choice, let site): acceptCookieChoice(choice, aboutCookiesOf: site)
    case .handleKey(let key): return handle(key)
    case .handleBelow(let key, let question):
      layers.closeInput()
      defer { if layers.topInput == nil { showQuestion(question) } }
      return handle(key)
    case .revealSelection(let marked): revealMovingEnd(marked)
    case .copySelection(let marked): return copySelection(marked)
    case .highlightSelection(let marked): return highlightPassage(marked)
    case .removeHighlights(let marked): return removeHighlights(marked)
    case .openEntry: return openEntry()
    case .closeList(let command): return closeList(by: command)
    case .performOnEntry(let action, let argument): return perform(action, argument: argument)
    case .undo: return undo()
    case .reloadList: return reloadList()
    case .sortList(let order): sort(by: order)
    case .performOnPage(let command, let count, let argument):
      guard layers.belowHelp.topInput != nil else {
        return perform(command, onPage: count, argument: argument)
      }
      // The command would discard the input below help.
      notify("\(keyName(of: .cancel)) goes back to your input")
    }
    return []
  }
}
