import Configuration
package import Images
import Foundation
import Platform
import Synchronization

/// A program that decodes for this one, with all that is told to it. There are no others, so a launcher can start them
/// for a process that may have been taken over.
package enum DecoderProgram: Sendable, Equatable {
  /// This program, which decodes an image.
  case image(ImageRequest)
  /// `pdftotext`, which reads a PDF file from its standard input and writes the lines of its pages.
  case pdf
  /// `pdftotext -bbox-layout`, which writes the words of a PDF file with their positions on the pages.
  case pdfBoxes
  /// `offread-zim`, which answers questions about a ZIM file.
  case zim(path: String)

  /// A decoder that was started.
  package struct Running: Sendable {
    /// Ends it at once.
    let kill: @Sendable () -> Void
    /// Waits for its end, once: its status; the number of the signal that has ended it, negative.
    let wait: @Sendable () -> Int32

    package init(kill: @escaping @Sendable () -> Void, wait: @escaping @Sendable () -> Int32) {
      (self.kill, self.wait) = (kill, wait)
    }
  }

  /// Starts a decoder with a socket as its standard input and output; nil when that fails, with `errno`.
  package typealias Starting = @Sendable (DecoderProgram, Int32) -> Running?

  private static let starting = Mutex<Starting?>(nil)

  /// Has decoders be started by another process from now on.
  package static func start(by starting: @escaping Starting) {
    Self.starting.withLock { $0 = starting }
  }

  /// What starts decoders for this process; nil when it does so itself.
  static var starter: Starting? { starting.withLock(\.self) }

  /// The argument with which this program does nothing else than decode an image.
  package static let imageArgument = "--decode-image"

  /// Its name, or its path.
  package var name: String {
    switch self {
    case .image: SharedFiles.executable?.path ?? "offread"
    case .pdf, .pdfBoxes: "pdftotext"
    case .zim: "offread-zim"
    }
  }

  var arguments: [String] {
    switch self {
    case .image(let request): [Self.imageArgument] + request.arguments
    // Options cannot come from the file: it is read from a pipe.
    case .pdf: ["-layout", "-enc", "UTF-8", "-", "-"]
    case .pdfBoxes: ["-bbox-layout", "-enc", "UTF-8", "-", "-"]
    case .zim(let path): [path]
    }
  }

  /// The files that it reads besides its input; nil for a program that confines itself.
  var files: [String]? {
    switch self {
    case .image: nil
    case .pdf, .pdfBoxes: []
    case .zim(let path): Self.parts(of: path)
    }
  }

  /// A ZIM file, with the others when it is the first of several (`.zimaa`).
  private static func parts(of path: String) -> [String] {
    guard path.hasSuffix(".zimaa") else { return [path] }
    let (folder, name) = ((path as NSString).deletingLastPathComponent, path.dropLast(2))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.filter { $0.hasPrefix(name) }
  }

  /// What it may use.
  var limits: LimitedProcess.Limits {
    switch self {
    case .image: LimitedProcess.Limits(seconds: 5)
    case .pdf, .pdfBoxes: LimitedProcess.Limits()
    // Tables of a large file are seen as memory.
    case .zim: LimitedProcess.Limits(seconds: 20, memory: 4 << 30)
    }
  }

  /// The file that the requesting process must have open as proof of access; nil when none is needed.
  package var file: String? {
    if case .zim(let path) = self { path } else { nil }
  }

  /// Whether a descriptor proves that its owner may read the file.
  package func mayRead(with descriptor: Int32?) -> Bool {
    guard let file else { return true }
    guard let descriptor, fcntl(descriptor, F_GETFL) & (O_ACCMODE | Self.pathOnly) == O_RDONLY
    else { return false }
    var (named, opened) = (stat(), stat())
    return stat(file, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }

  /// `O_PATH`, which needs no permission to read.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Starts it.
  /// - Parameter socket: its standard input and output.
  /// - Returns: the process; nil when that fails, with `errno`.
  package func start(_ socket: Int32) -> ChildProcess? {
    guard let path = ChildProcess.find(name) else {
      errno = ENOENT
      return nil
    }
    let words = files.map { Decoder.words(path, arguments, reads: $0) } ?? [path] + arguments
    return ChildProcess(
      words, limits: limits.ofProcess, socket: socket, as: [STDIN_FILENO, STDOUT_FILENO])
  }

  /// The texts that name it.
  package var words: [String] {
    switch self {
    case .image(let request): ["image"] + request.arguments
    case .pdf: ["pdf"]
    case .pdfBoxes: ["pdf-boxes"]
    case .zim(let path): ["zim", path]
    }
  }

  /// Reads the texts; nil for all others.
  package init?(words: [String]) {
    switch words.first {
    case "image":
      guard let request = ImageRequest(arguments: Array(words.dropFirst())),
        request.arguments == Array(words.dropFirst())
      else { return nil }
      self = .image(request)
    case "pdf" where words.count == 1: self = .pdf
    case "pdf-boxes" where words.count == 1: self = .pdfBoxes
    case "zim" where words.count == 2: self = .zim(path: words[1])
    default: return nil
    }
  }
}
