import Commands
import Configuration
import Terminal

/// The state outside a layer on which the effect of a key depends.
struct LayerContext {
  var keymap: Keymap
  /// The page on the screen, or nil.
  var view: PageView?
  /// The number of page lines on the screen.
  var height: Int
  /// The screen area of the open list.
  var viewport = ListScreen.Viewport(rows: 0, gap: 0)
  /// The number typed before the key, if the layer takes counts; nil for none.
  var count: Int?
  /// The history of the prompts.
  var inputHistory: InputHistory
  var settings: Settings
  /// The arguments of the command `theme`.
  var themeNames: [String]
  /// The search on the page.
  var pageSearch: PageSearch
  /// The message on the last row, or nil.
  var notice: String?
  var glyphs: Glyphs

  /// Returns the name of the first key bound to a command, or `:name` for a command without keys.
  func keyName(of command: Command) -> String { keymap.keyName(of: command) }

  /// Returns the request to execute the command that is bound to a key on a screen; for a key
  /// without a command, the request for a notice.
  func requests(_ key: Key, on screen: Screens) -> [LayerRequest] {
    guard let binding = keymap.binding(of: key, on: screen) else {
      let help = keymap.keys(of: .help).first?.description ?? ""
      return count == nil ? [.notify("\(key) does nothing here; \(help): help")] : []
    }
    let line = CommandLine(command: binding.command, argument: binding.argument)
    return [.performCommandLine(line, count: count)]
  }
}
