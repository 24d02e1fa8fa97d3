import Commands

/// The layers of the screen, from bottom to top.
///
/// Over the page, there may be a list, and over that an input, such as a prompt. Help covers all of
/// them; it is a list, too, over which there may be another input.
struct LayerStack: Sendable, Equatable {
  /// The layers over the page.
  private var layers: [Layer] = []

  /// The layer that receives the keys.
  var top: Layer { layers.last ?? .page }

  /// The input on top; nil if a list or the page is on top.
  var input: Layer? { layers.last.flatMap { $0.isInput ? $0 : nil } }

  /// The open list: the one that is not covered by another list. If help is open, setting it to a
  /// help list replaces only the open one. Any other list replaces all layers except an input on
  /// top; nil removes the same layers.
  var list: ListScreen? {
    get {
      for case .list(let list) in layers.reversed() { return list }
      return nil
    }
    set {
      if let newValue, newValue.kind.screen == .help, let help {
        layers[help] = .list(newValue)
      } else {
        layers = [newValue.map { .list($0) }, input].compactMap(\.self)
      }
    }
  }

  /// The layers below help, or all if help is not open.
  var belowHelp: LayerStack {
    var stack = self
    stack.closeHelp()
    return stack
  }

  private var help: Int? {
    layers.firstIndex { if case .list(let list) = $0 { list.kind.screen == .help } else { false } }
  }

  /// Shows an input instead of the one on top, or over the page or the list.
  mutating func show(_ input: Layer) {
    close()
    layers.append(input)
  }

  /// Closes the input on top.
  mutating func close() {
    if input != nil { layers.removeLast() }
  }

  /// Closes all inputs with a property, also below help.
  mutating func close(where isClosed: (Layer) -> Bool) {
    layers.removeAll { $0.isInput && isClosed($0) }
  }

  /// Replaces the selection of text by its next state, also below help; nil closes it.
  mutating func updateMarking(_ next: (MarkedText) -> MarkedText?) {
    layers = layers.compactMap { layer in
      guard case .marking(let marked) = layer else { return layer }
      return next(marked).map { .marking($0) }
    }
  }

  /// Replaces the layer on top by its next state.
  mutating func update(_ layer: Layer) {
    guard !layers.isEmpty, layer != .page else { return }
    layers[layers.count - 1] = layer
  }

  /// Opens help over the other layers.
  mutating func openHelp(about subject: HelpSubject) {
    layers.append(.list(ListScreen(.help(subject))))
  }

  /// Closes help and what is over it.
  mutating func closeHelp() {
    if let help { layers.removeSubrange(help...) }
  }

  /// Adapts the positions of all lists to the size of the screen.
  mutating func adaptLists(to viewport: ListScreen.Viewport) {
    for index in layers.indices {
      guard case .list(var list) = layers[index] else { continue }
      list.move(by: 0, viewport: viewport)
      layers[index] = .list(list)
    }
  }
}
