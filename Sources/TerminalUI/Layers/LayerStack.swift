import Commands

/// The layers of the screen, from bottom to top.
///
/// Over the page, there may be a list, and over that an input, such as a prompt. Help covers all of
/// them; it is a list, too, over which there may be another input:
///
/// ```
/// page ─ list ─ input ─ help ─ input
/// ```
///
/// Each layer but the page may be missing. A new input replaces the one on top, and a new list all
/// layers except an input on top. Closing help removes the layers over it.
struct LayerStack: Sendable, Equatable {
  /// The layers over the page.
  private var layers: [Layer] = []

  /// The layer that receives the keys.
  var top: Layer { layers.last ?? .page }

  /// The input on top; nil if a list or the page is on top.
  var topInput: Layer? { layers.last.flatMap { $0.isInput ? $0 : nil } }

  /// The open list: the one that is not covered by another list. If help is open, setting it to a
  /// help list replaces only the open one. Any other list replaces all layers except an input on
  /// top; nil removes the same layers.
  var list: ListScreen? {
    get {
      for case .list(let list) in layers.reversed() { return list }
      return nil
    }
    set {
      if let newValue, newValue.kind.screen == .help, let helpIndex {
        layers[helpIndex] = .list(newValue)
      } else {
        layers = [newValue.map { .list($0) }, topInput].compactMap(\.self)
      }
    }
  }

  /// The layers below help, or all if help is not open.
  var belowHelp: LayerStack {
    var stack = self
    stack.closeHelp()
    return stack
  }

  private var helpIndex: Int? {
    layers.firstIndex { if case .list(let list) = $0 { list.kind.screen == .help } else { false } }
  }

  /// Shows an input instead of the one on top, or over the page or the list.
  mutating func showInput(_ input: Layer) {
    closeInput()
    layers.append(input)
  }

  /// Closes the input on top.
  mutating func closeInput() {
    if topInput != nil { layers.removeLast() }
  }

  /// Closes all inputs that satisfy a predicate, including those below help.
  mutating func closeInputs(where isClosed: (Layer) -> Bool) {
    layers.removeAll { $0.isInput && isClosed($0) }
  }

  /// Replaces the selection of text by its next state, also below help; nil closes it.
  mutating func updateSelection(_ next: (TextSelection) -> TextSelection?) {
    layers = layers.compactMap { layer in
      guard case .selection(let marked) = layer else { return layer }
      return next(marked).map { .selection($0) }
    }
  }

  /// Replaces the layer on top by its next state.
  mutating func updateTop(_ layer: Layer) {
    guard !layers.isEmpty, layer != .page else { return }
    layers[layers.count - 1] = layer
  }

  /// Opens help over the other layers.
  mutating func openHelp(about subject: HelpSubject) {
    layers.append(.list(ListScreen(.help(subject))))
  }

  /// Closes help and the layers over it.
  mutating func closeHelp() {
    if let helpIndex { layers.removeSubrange(helpIndex...) }
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
