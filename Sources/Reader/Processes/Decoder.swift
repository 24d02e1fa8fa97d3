import Platform
import Configuration
import Foundation
import Synchronization

/// A program that decodes what others have written, such as `pdftotext`: this program is started once more,
/// gives up what decoding needs none of, and becomes it.
package enum Decoder {
  /// The argument with which the program does nothing else.
  package static let argument = "--become-decoder"

  /// Whether decoders are confined: not before the program says that it knows the argument.
  private static let areConfined = Mutex(false)

  /// Confines decoders from now on, or does not.
  package static func confine(_ isWanted: Bool = true) { areConfined.withLock { $0 = isWanted } }

  /// The words that start a decoder.
  /// - Parameters:
  ///   - path: its path.
  ///   - arguments: its arguments.
  ///   - files: the files that it reads.
  /// - Returns: path and arguments of what is to be started.
  static func words(_ path: String, _ arguments: [String], reads files: [String]) -> [String] {
    guard areConfined.withLock(\.self), let own = SharedFiles.executable?.path,
      access(own, X_OK) == 0
    else { return [path] + arguments }
    return [own, argument] + files + ["--", path] + arguments
  }

  /// Gives up what it does not need, and becomes the decoder that the arguments name.
  package static func become(_ arguments: [String]) -> Never {
    let files = arguments.prefix { $0 != "--" }
    let words = arguments.dropFirst(files.count + 1)
    guard let path = words.first else { exit(2) }
    let confinement = Confinement(ofDecoder: path, reads: Array(files))
    if case .refused = confinement.begin() { exit(126) }
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    execv(path, &pointers)
    exit(127)
  }
}

extension Confinement {
  /// What a decoder needs: itself, the system's libraries and what it is told to read. It has no network.
  fileprivate init(ofDecoder path: String, reads files: [String]) {
    self.init()
    mayRun = true
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let folders = [path, real].map { ($0 as NSString).deletingLastPathComponent }
    read = Set(Self.system + Self.libraries(beside: folders) + [path, real] + files)
    calls = .network
    // Of what a script starts, `/dev/null` may be opened to be written.
    let file = FileHandle(forReadingAtPath: path)
    if (try? file?.read(upToCount: 2)) != Data("#!".utf8) { calls.insert(.changes) }
  }
}
