import Reader

/// What a confined reader or command may ask the launcher for. Each has a socket with it on which the answer comes, and what is
/// long comes as a file.
enum LauncherRequest: Equatable {
  /// A line that a person typed; with an empty one a shell.
  case shell(line: String, url: String)
  /// The same, which reads the text that comes with it.
  case pipe(line: String, url: String)
  /// A line that the launcher has answered before.
  case prepared(line: String, url: String)
  /// The editor with the text that comes with it.
  case view(url: String)
  /// The editor with a file.
  case editFile(path: String, url: String)
  /// The editor with the text that comes with it, which is then the answer.
  case edit
  /// The program for a file in the session's folder.
  case openFile(path: String, mediaType: String)
  /// The program for addresses.
  case openAddress(String)
  /// A descriptor of a file or folder, to be read.
  case read(path: String)
  /// A descriptor of a new file, which is wanted at a path.
  case make(draft: String, path: String)
  /// The name of that file.
  case name(draft: String, path: String)
  /// That there is no such file.
  case remove(draft: String)
  /// A browser that renders pages, its ends, and a socket that ends it when it is closed.
  case browser
  /// That all of the job stop but these two.
  case stopJob
  /// That what has the terminal, and has stopped, go on.
  case resume
  /// The end.
  case end
  /// A descriptor of a new file that a command writes for the user.
  case openOutput(path: String)
  /// The name of that file, which is complete.
  case completeOutput(path: String)
  /// That there is no such file.
  case discardOutput(path: String)
  /// The directory for several of them.
  case makeOutputFolder(path: String)
  /// A decoder with the socket that comes with the message as its standard input and output, and then its status. It
  /// is killed when the socket for the answer is closed. A descriptor of the file that it reads comes, too.
  case decoder(DecoderProgram)

  /// The byte of `end`.
  static let endMark: UInt8 = 15

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
    case .end: (Self.endMark, [])
    case .resume: (16, [])
    case .openOutput(let path): (17, [path])
    case .completeOutput(let path): (18, [path])
    case .discardOutput(let path): (19, [path])
    case .makeOutputFolder(let path): (20, [path])
    case .decoder(let program): (21, program.words)
    }
  }

  /// The message.
  var bytes: [UInt8] {
    let (kind, words) = parts
    return LauncherWords.bytes(kind, words)
  }

  /// For whom it is meant.
  var scope: Launcher.Scope {
    switch self {
    case .browser: .browsers
    case .decoder: .decoders
    case .openOutput, .completeOutput, .discardOutput, .makeOutputFolder: .outputs
    default: .reader
    }
  }

  /// Reads a message; nil for what is none, as it comes from a process that may be somebody else's by now.
  init?(_ bytes: [UInt8]) {
    guard let (kind, words) = LauncherWords.read(bytes) else { return nil }
    switch (kind, words.count) {
    case (1, 2): self = .shell(line: words[0], url: words[1])
    case (2, 2): self = .pipe(line: words[0], url: words[1])
    case (3, 2): self = .prepared(line: words[0], url: words[1])
    case (4, 1): self = .view(url: words[0])
    case (5, 2): self = .editFile(path: words[0], url: words[1])
    case (6, 0): self = .edit
    case (7, 2): self = .openFile(path: words[0], mediaType: words[1])
    case (8, 1): self = .openAddress(words[0])
    case (9, 1): self = .read(path: words[0])
    case (10, 2): self = .make(draft: words[0], path: words[1])
    case (11, 2): self = .name(draft: words[0], path: words[1])
    case (12, 1): self = .remove(draft: words[0])
    case (13, 0): self = .browser
    case (14, 0): self = .stopJob
    case (Self.endMark, 0): self = .end
    case (16, 0): self = .resume
    case (17, 1): self = .openOutput(path: words[0])
    case (18, 1): self = .completeOutput(path: words[0])
    case (19, 1): self = .discardOutput(path: words[0])
    case (20, 1): self = .makeOutputFolder(path: words[0])
    case (21, _):
      guard let program = DecoderProgram(words: words) else { return nil }
      self = .decoder(program)
    default: return nil
    }
  }
}

/// What the launcher answers.
enum LauncherAnswer: Equatable {
  /// It is done; what was asked for may come with it.
  case done
  /// It is not done, for this error of the system; `EPERM` when it is not to be had, 0 when nobody knows.
  case failed(Int32)
  /// A program has started behind the reader.
  case started(program: String)
  /// A line is to have the terminal.
  case inTerminal(line: String)
  /// There is nothing to be done, or the person does not want it.
  case nothing
  /// What has the terminal has stopped: the job is to stop, and another answer follows.
  case stopped
  /// What was started has ended, with this status; the number of a signal is negative.
  case ended(Int32)

  /// The message.
  var bytes: [UInt8] {
    switch self {
    case .done: LauncherWords.bytes(1, [])
    case .failed(let error): LauncherWords.bytes(2, ["\(error)"])
    case .started(let program): LauncherWords.bytes(3, [program])
    case .inTerminal(let line): LauncherWords.bytes(4, [line])
    case .nothing: LauncherWords.bytes(5, [])
    case .stopped: LauncherWords.bytes(6, [])
    case .ended(let status): LauncherWords.bytes(7, ["\(status)"])
    }
  }

  /// Reads a message; nil for what is none.
  init?(_ bytes: [UInt8]) {
    guard let (kind, words) = LauncherWords.read(bytes) else { return nil }
    switch (kind, words.count) {
    case (1, 0): self = .done
    case (2, 1): self = .failed(Int32(words[0]) ?? 0)
    case (3, 1): self = .started(program: words[0])
    case (4, 1): self = .inTerminal(line: words[0])
    case (5, 0): self = .nothing
    case (6, 0): self = .stopped
    case (7, 1): self = .ended(Int32(words[0]) ?? -1)
    default: return nil
    }
  }
}

/// A message: a byte for its kind, and texts that end with NUL.
private enum LauncherWords {
  static func bytes(_ kind: UInt8, _ words: [String]) -> [UInt8] {
    [kind] + words.flatMap { word in word.utf8.filter { $0 != 0 } + [0] }
  }

  static func read(_ bytes: [UInt8]) -> (UInt8, [String])? {
    guard let kind = bytes.first, bytes.count == 1 || bytes.last == 0 else { return nil }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).dropLast()
    var words: [String] = []
    for part in parts {
      guard let word = String(validating: part, as: UTF8.self) else { return nil }
      words.append(word)
    }
    return (kind, words)
  }
}
