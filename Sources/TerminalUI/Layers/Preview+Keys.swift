import Commands
import Terminal

extension Preview {
  /// Handles a key: every key closes the preview, and the key that follows links also follows the
  /// link.
  func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    closingRequests + (context.keymap[key] == .follow ? [.followTarget(target)] : [])
  }

  /// The requests to close the preview, and to cancel its load.
  var closingRequests: [LayerRequest] {
    [.close] + (load.map { [.effect(.cancelLoad($0))] } ?? [])
  }
}
