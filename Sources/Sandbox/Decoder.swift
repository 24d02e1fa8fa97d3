import Platform
import Configuration
import Foundation
import Synchronization

/// A program that decodes untrusted data, such as `pdftotext`. To start it confined, offread starts
/// itself again, drops the access that decoding does not need, and executes the decoder.
package enum Decoder {
  /// The argument that makes offread execute a decoder.
  package static let argument = "--become-decoder"

  /// Whether decoders are confined. It is false until the program declares that it supports the
  /// argument.
  private static let areConfined = Mutex(false)

  /// Enables or disables the confinement of decoders.
  package static func confine(_ isWanted: Bool = true) { areConfined.withLock { $0 = isWanted } }

  /// Returns the command line that starts a decoder.
  /// - Parameters:
  ///   - path: the path of the decoder.
  ///   - arguments: its arguments.
  ///   - files: the files that it reads.
  /// - Returns: the path of the program to start and its arguments.
  static func commandLine(_ path: String, _ arguments: [String], reads files: [String]) -> [String]
  {
    guard areConfined.withLock(\.self), let own = SharedFiles.executable?.path,
      access(own, X_OK) == 0
    else { return [path] + arguments }
    return [own, argument] + files + ["--", path] + arguments
  }

  /// Confines the process and executes the decoder that the arguments name.
  package static func execute(_ arguments: [String]) -> Never {
    let files = arguments.prefix { $0 != "--" }
    let tokens = arguments.dropFirst(files.count + 1)
    guard let path = tokens.first else { exit(2) }
    let confinement = Confinement(ofDecoder: path, reads: Array(files))
    if case .refused = confinement.apply() { exit(126) }
    var pointers: [UnsafeMutablePointer<CChar>?] = tokens.map { strdup($0) }
    pointers.append(nil)
    execv(path, &pointers)
    exit(127)
  }
}

extension Confinement {
  /// Creates the confinement of a decoder: it may read itself, the system libraries and the given
  /// files, and has no network.
  fileprivate init(ofDecoder path: String, reads files: [String]) {
    self.init()
    mayRun = true
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let directories = [path, real].map { ($0 as NSString).deletingLastPathComponent }
    readablePaths = Set(Self.system + Self.libraries(beside: directories) + [path, real] + files)
    deniedCalls = .network
    // The programs that a script starts may have to open `/dev/null` for writing.
    let file = FileHandle(forReadingAtPath: path)
    if (try? file?.read(upToCount: 2)) != Data("#!".utf8) { deniedCalls.insert(.changes) }
  }
}
