import Commands
import Terminal

extension Preview {
  /// Handles a key: every key closes the preview, and the one that follows links also follows the
  /// link.
  func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    closing + (context.keymap[key] == .follow ? [.follow(target)] : [])
  }

  /// The requests to close the preview, and to cancel its load.
  var closing: [LayerRequest] {
    [.close] + (load.map { [.effect(.cancel($0))] } ?? [])
  }
}
