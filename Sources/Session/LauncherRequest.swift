import Sandbox

/// A request to the launcher from a sandboxed reader (the interactive process) or command. Each
/// request comes with a socket for the response; long data comes in a second file descriptor.
enum LauncherRequest: Equatable {
  /// Run a command line that the user typed; an empty line starts a shell.
  case shell(line: String, url: String)
  /// Run a command line that the user typed, with the attached text as its standard input.
  case pipe(line: String, url: String)
  /// Run a command line that the launcher returned before (`LauncherResponse.runInTerminal`).
  case preparedCommand(line: String, url: String)
  /// Open the attached text in the editor.
  case viewText(url: String)
  /// Open a file in the editor.
  case editFile(path: String, url: String)
  /// Open the attached text in the editor, and return the edited text.
  case editText
  /// Open a file in the session's directory with the program for its type.
  case openFile(path: String, mediaType: String)
  /// Open a URL with the configured program.
  case openURL(String)
  /// Return a descriptor for reading a file or directory.
  case openForReading(path: String)
  /// Create the partial file for a path, and return its descriptor.
  case createPartialFile(partialPath: String, path: String)
  /// Rename a partial file to its path.
  case renamePartialFile(partialPath: String, path: String)
  /// Delete a partial file.
  case removePartialFile(partialPath: String)
  /// Start a browser that renders pages; return its descriptors, and a socket that ends the browser
  /// when it is closed.
  case startBrowser
  /// Stop all processes of the job except the reader and the launcher.
  case stopJob
  /// Continue the stopped program that uses the terminal.
  case resumeForeground
  /// End the launcher.
  case endLauncher
  /// Create an output file of a command, and return its descriptor.
  case openOutput(path: String)
  /// Move a complete output file to its path.
  case completeOutput(path: String)
  /// Discard an output file.
  case discardOutput(path: String)
  /// Create the directory for several output files.
  case makeOutputDirectory(path: String)
  /// Start a decoder with the attached socket as its standard input and output, and return its exit
  /// status. The launcher kills the decoder when the socket for the response is closed. The
  /// descriptor of the file that the decoder reads, if any, is attached as well.
  case startDecoder(DecoderProgram)
  /// Start the command of the read hook for a URL and a title, with the attached socket as its
  /// output, and return its exit status. The launcher kills the command when the socket for the
  /// response is closed, or when its time limit has passed.
  case startReadHook(url: String, title: String)

  /// The first byte of the message for `endLauncher`.
  static let endByte: UInt8 = 15

  private var kindAndStrings: (UInt8, [String]) {
    switch self {
    case .shell(let line, let url): (1, [line, url])
    case .pipe(let line, let url): (2, [line, url])
    case .preparedCommand(let line, let url): (3, [line, url])
    case .viewText(let url): (4, [url])
    case .editFile(let path, let url): (5, [path, url])
    case .editText: (6, [])
    case .openFile(let path, let mediaType): (7, [path, mediaType])
    case .openURL(let url): (8, [url])
    case .openForReading(let path): (9, [path])
    case .createPartialFile(let partialPath, let path): (10, [partialPath, path])
    case .renamePartialFile(let partialPath, let path): (11, [partialPath, path])
    case .removePartialFile(let partialPath): (12, [partialPath])
    case .startBrowser: (13, [])
    case .stopJob: (14, [])
    case .endLauncher: (Self.endByte, [])
    case .resumeForeground: (16, [])
    case .openOutput(let path): (17, [path])
    case .completeOutput(let path): (18, [path])
    case .discardOutput(let path): (19, [path])
    case .makeOutputDirectory(let path): (20, [path])
    case .startDecoder(let program): (21, program.commandLine)
    case .startReadHook(let url, let title): (22, [url, title])
    }
  }

  /// The encoded message.
  var bytes: [UInt8] {
    let (kind, text) = kindAndStrings
    return LauncherCoding.encode(kind, text)
  }

  /// The scope that permits the request.
  var scope: Launcher.Scope {
    switch self {
    case .startBrowser: .browsers
    case .startDecoder: .decoders
    case .startReadHook: .hooks
    case .openOutput, .completeOutput, .discardOutput, .makeOutputDirectory: .outputs
    default: .reader
    }
  }

  /// Parses a message; returns nil if it is malformed. The message is untrusted, because the
  /// sending process may be compromised.
  init?(_ bytes: [UInt8]) {
    guard let (kind, strings) = LauncherCoding.decode(bytes) else { return nil }
    switch (kind, strings.count) {
    case (1, 2): self = .shell(line: strings[0], url: strings[1])
    case (2, 2): self = .pipe(line: strings[0], url: strings[1])
    case (3, 2): self = .preparedCommand(line: strings[0], url: strings[1])
    case (4, 1): self = .viewText(url: strings[0])
    case (5, 2): self = .editFile(path: strings[0], url: strings[1])
    case (6, 0): self = .editText
    case (7, 2): self = .openFile(path: strings[0], mediaType: strings[1])
    case (8, 1): self = .openURL(strings[0])
    case (9, 1): self = .openForReading(path: strings[0])
    case (10, 2): self = .createPartialFile(partialPath: strings[0], path: strings[1])
    case (11, 2): self = .renamePartialFile(partialPath: strings[0], path: strings[1])
    case (12, 1): self = .removePartialFile(partialPath: strings[0])
    case (13, 0): self = .startBrowser
    case (14, 0): self = .stopJob
    case (Self.endByte, 0): self = .endLauncher
    case (16, 0): self = .resumeForeground
    case (17, 1): self = .openOutput(path: strings[0])
    case (18, 1): self = .completeOutput(path: strings[0])
    case (19, 1): self = .discardOutput(path: strings[0])
    case (20, 1): self = .makeOutputDirectory(path: strings[0])
    case (21, _):
      guard let program = DecoderProgram(commandLine: strings) else { return nil }
      self = .startDecoder(program)
    case (22, 2): self = .startReadHook(url: strings[0], title: strings[1])
    default: return nil
    }
  }
}
