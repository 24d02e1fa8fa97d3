import Commands
import Configuration
import Layout
import Terminal

/// Keys go to the layer on top; its requests are carried out here.
extension Browser {
  /// Handles a key: opens help, adds a digit to the count, or passes the key to the layer on top.
  mutating func handle(_ key: Key) -> [Effect] {
    var layer = layers.top
    if keymap[key] == .help, layer.opensHelp(by: key) { return openHelp() }
    if layer.acceptsCounts, addDigit(key) { return [] }
    let count = layer.acceptsCounts ? removeCount() : nil
    let requests = layer.handle(key, in: context(for: layer, count: count))
    layers.update(layer)
    return carryOut(requests)
  }

  /// Returns the state on which the effect of a key depends.
  /// - Parameters:
  ///   - layer: The layer that handles the key.
  ///   - count: The number typed before the key; nil for none.
  /// - Returns: The state.
  func context(for layer: Layer, count: Int? = nil) -> LayerContext {
    var context = LayerContext(
      keymap: keymap, view: view, height: bodyHeight, count: count, inputHistory: inputHistory,
      settings: settings, themeNames: appearance.themeNames + [Self.noChoice], finding: finding,
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
    case .close: layers.close()
    case .effect(let effect): return [effect]
    case .notify(let text, let isError): notify(text, isError: isError)
    case .perform(let line, let count): return perform(line, count: count)
    case .typed(let prompt): promptChanged(prompt)
    case .submit(let prompt): return respond(prompt)
    case .abandon(let prompt): return abandon(prompt)
    case .leave(let field, let text, let steps): leave(field, text: text, by: steps)
    case .letter(let letter, let use): return handle(letter, for: use)
    case .follow(let target): return follow(target)
    case .use(let target, let purpose): return use(target, for: purpose)
    case .show(let image): return show(image: image)
    case .accept(let act): return accept(act)
    case .decide(let choice, let site): accept(choice, aboutCookiesOf: site)
    case .handle(let key): return handle(key)
    case .handleBelow(let key, let question):
      layers.close()
      let effects = handle(key)
      if layers.input == nil { ask(question) }
      return effects
    case .reveal(let marked): reveal(marked)
    case .copy(let marked): return copy(marked)
    case .keep(let marked): return highlightPassage(marked)
    case .remove(let marked): return removePassages(marked)
    case .openEntry: return openEntry()
    case .closeList(let command): return closeList(by: command)
    case .entry(let action, let argument): return perform(action, argument: argument)
    case .undo: return undo()
    case .reloadList: return reloadList()
    case .sort(let order): sort(by: order)
    case .performOnPage(let command, let count, let argument):
      guard layers.belowHelp.input == nil else {
        // The command would discard the input below help.
        notify("\(key(of: .cancel)) goes back to your input")
        break
      }
      return perform(command, onPage: count, argument: argument)
    }
    return []
  }
}
