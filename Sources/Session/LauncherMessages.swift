import Pages
import Sandbox

/// A request of a confined reader or command to the launcher. Each comes with a socket for the
/// response; long data comes in a second file descriptor.
enum LauncherRequest: Equatable {
  /// Run a command line that the user typed; an empty line starts a shell.
  case shell(line: String, url: String)
  /// Run a command line that the user typed, with the attached text as its standard input.
  case pipe(line: String, url: String)
  /// Run a command line that the launcher returned before (`LauncherResponse.inTerminal`).
  case prepared(line: String, url: String)
  /// Open the attached text in the editor.
  case view(url: String)
  /// Open a file in the editor.
  case editFile(path: String, url: String)
  /// Open the attached text in the editor, and return the edited text.
  case edit
  /// Open a file of the session's directory with the program for its type.
  case openFile(path: String, mediaType: String)
  /// Open a URL with the configured program.
  case openAddress(String)
  /// Return a descriptor for reading a file or directory.
  case read(path: String)
  /// Create the partial file for a path, and return its descriptor.
  case make(draft: String, path: String)
  /// Rename a partial file to its path.
  case name(draft: String, path: String)
  /// Delete a partial file.
  case remove(draft: String)
  /// Start a browser that renders pages; return its descriptors, and a socket that ends the browser
  /// when it is closed.
  case browser
  /// Stop all processes of the job except the reader and the launcher.
  case stopJob
  /// Continue the stopped program that uses the terminal.
  case resume
  /// End the launcher.
  case end
  /// Create an output file of a command, and return its descriptor.
  case openOutput(path: String)
  /// Move a complete output file to its path.
  case completeOutput(path: String)
  /// Discard an output file.
  case discardOutput(path: String)
  /// Create the directory for several output files.
  case makeOutputDirectory(path: String)
  /// Start a decoder with the attached socket as its standard input and output, and return its exit
  /// status. The launcher kills it when the socket for the response is closed. The descriptor of
  /// the file that it reads, if any, is attached, too.
  case decoder(DecoderProgram)
  /// Start the command of the read hook for a URL and a title, with the attached socket as its
  /// output, and return its exit status. The launcher kills it when the socket for the response is
  /// closed, and after its time limit.
  case readHook(url: String, title: String)

  /// The first byte of the message for `end`.
  static let endByte: UInt8 = 15

  private var parts: (UInt8, [String]) {
    switch self {
    case .shell(let line, let url): (1, [line, url])
    case .pipe(let line, let url): (2, [line, url])
    case .prepared(let line, let url): (3, [line, url])
    case .view(let url): (4, [url])
    case .editFile(let path, let url): (5, [path, url])
    case .edit: (6, [])
    case .openFile(let path, let mediaType): (7, [path, mediaType])
    case .openAddress(let url): (8, [url])
    case .read(let path): (9, [path])
    case .make(let draft, let path): (10, [draft, path])
    case .name(let draft, let path): (11, [draft, path])
    case .remove(let draft): (12, [draft])
    case .browser: (13, [])
    case .stopJob: (14, [])
    case .end: (Self.endByte, [])
    case .resume: (16, [])
    case .openOutput(let path): (17, [path])
    case .completeOutput(let path): (18, [path])
    case .discardOutput(let path): (19, [path])
    case .makeOutputDirectory(let path): (20, [path])
    case .decoder(let program): (21, program.commandLine)
    case .readHook(let url, let title): (22, [url, title])
    }
  }

  /// The encoded message.
  var bytes: [UInt8] {
    let (kind, text) = parts
    return LauncherCoding.bytes(kind, text)
  }

  /// The scope that permits the request.
  var scope: Launcher.Scope {
    switch self {
    case .browser: .browsers
    case .decoder: .decoders
    case .readHook: .hooks
    case .openOutput, .completeOutput, .discardOutput, .makeOutputDirectory: .outputs
    default: .reader
    }
  }

  /// Parses a message; nil if it is malformed. It is untrusted: the sending process may be
  /// compromised.
  init?(_ bytes: [UInt8]) {
    guard let (kind, tokens) = LauncherCoding.read(bytes) else { return nil }
    switch (kind, tokens.count) {
    case (1, 2): self = .shell(line: tokens[0], url: tokens[1])
    case (2, 2): self = .pipe(line: tokens[0], url: tokens[1])
    case (3, 2): self = .prepared(line: tokens[0], url: tokens[1])
    case (4, 1): self = .view(url: tokens[0])
    case (5, 2): self = .editFile(path: tokens[0], url: tokens[1])
    case (6, 0): self = .edit
    case (7, 2): self = .openFile(path: tokens[0], mediaType: tokens[1])
    case (8, 1): self = .openAddress(tokens[0])
    case (9, 1): self = .read(path: tokens[0])
    case (10, 2): self = .make(draft: tokens[0], path: tokens[1])
    case (11, 2): self = .name(draft: tokens[0], path: tokens[1])
    case (12, 1): self = .remove(draft: tokens[0])
    case (13, 0): self = .browser
    case (14, 0): self = .stopJob
    case (Self.endByte, 0): self = .end
    case (16, 0): self = .resume
    case (17, 1): self = .openOutput(path: tokens[0])
    case (18, 1): self = .completeOutput(path: tokens[0])
    case (19, 1): self = .discardOutput(path: tokens[0])
    case (20, 1): self = .makeOutputDirectory(path: tokens[0])
    case (21, _):
      guard let program = DecoderProgram(commandLine: tokens) else { return nil }
      self = .decoder(program)
    case (22, 2): self = .readHook(url: tokens[0], title: tokens[1])
    default: return nil
    }
  }
}

/// A response of the launcher.
enum LauncherResponse: Equatable {
  /// The request is done; descriptors may be attached.
  case done
  /// The request failed with this `errno` value; `EPERM` if it is not permitted, 0 if the reason is
  /// unknown.
  case failed(Int32)
  /// A program was started in the background.
  case started(program: String)
  /// A command line is to be run in the terminal (`LauncherRequest.prepared`).
  case inTerminal(line: String)
  /// There is no program for the request, or the user declined it.
  case nothing
  /// The program in the terminal has stopped: the job has to stop, and another response follows.
  case stopped
  /// The started process has ended with this exit status; the negated signal number if a signal
  /// ended it.
  case ended(Int32)

  /// The encoded message.
  var bytes: [UInt8] {
    switch self {
    case .done: LauncherCoding.bytes(1, [])
    case .failed(let error): LauncherCoding.bytes(2, ["\(error)"])
    case .started(let program): LauncherCoding.bytes(3, [program])
    case .inTerminal(let line): LauncherCoding.bytes(4, [line])
    case .nothing: LauncherCoding.bytes(5, [])
    case .stopped: LauncherCoding.bytes(6, [])
    case .ended(let status): LauncherCoding.bytes(7, ["\(status)"])
    }
  }

  /// Parses a message; nil if it is malformed.
  init?(_ bytes: [UInt8]) {
    guard let (kind, tokens) = LauncherCoding.read(bytes) else { return nil }
    switch (kind, tokens.count) {
    case (1, 0): self = .done
    case (2, 1): self = .failed(Int32(tokens[0]) ?? 0)
    case (3, 1): self = .started(program: tokens[0])
    case (4, 1): self = .inTerminal(line: tokens[0])
    case (5, 0): self = .nothing
    case (6, 0): self = .stopped
    case (7, 1): self = .ended(Int32(tokens[0]) ?? -1)
    default: return nil
    }
  }
}

/// The encoding of messages: a byte for the kind, and strings that end with NUL.
private enum LauncherCoding {
  static func bytes(_ kind: UInt8, _ tokens: [String]) -> [UInt8] {
    [kind] + tokens.flatMap { word in word.utf8.filter { $0 != 0 } + [0] }
  }

  static func read(_ bytes: [UInt8]) -> (UInt8, [String])? {
    guard let kind = bytes.first, bytes.count == 1 || bytes.last == 0 else { return nil }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).dropLast()
    var tokens: [String] = []
    for part in parts {
      guard let word = String(validating: part, as: UTF8.self) else { return nil }
      tokens.append(word)
    }
    return (kind, tokens)
  }
}
