import Pages

/// A command with plain arguments.
enum PlainCommand {
  case read(ReaderStart)
  case dump(Dump)
  case fetch(FetchChoices)

  /// Whether the command may load a page or an image through a URLSession. The dump of a local file
  /// without images loads nothing.
  var usesSession: Bool {
    guard case .dump(let dump) = self, !dump.presentation.drawsImages,
      let address = try? Address(typed: dump.target)
    else { return true }
    switch address {
    case .file, .standardInput: return false
    case .web, .builtIn, .book, .feedItem: return true
    }
  }

  /// Runs the command.
  func run() throws {
    switch self {
    case .read(let reading): try reading.run()
    case .dump(let dump): try dump.runAfterCheckingTarget()
    case .fetch(let fetch): try fetch.run()
    }
  }
}
