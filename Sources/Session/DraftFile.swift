import Platform
import Reader
import Synchronization
import Terminal

/// How drafts are made, named and removed: by this process, or by its launcher.
struct DraftPlaces: Sendable {
  /// Makes a draft of what is wanted at a path: a descriptor, or an error of the system, negative.
  var make: @Sendable (_ draft: String, _ path: String) -> Int32
  /// Gives it its name: 0 or an error of the system.
  var name: @Sendable (_ draft: String, _ path: String) -> Int32
  /// Removes it.
  var remove: @Sendable (_ draft: String) -> Void
  /// What `EPERM` means, where that is more than the system's words.
  var refusal: String?

  /// Gives a file a second name: 0 or an error of the system.
  typealias Link = @Sendable (String, String) -> Int32

  /// `link` of the system.
  static let link: Link = { Platform.link($0, $1) == 0 ? 0 : errno }

  /// By this process.
  init(link: @escaping Link = Self.link) {
    self.init(
      make: { draft, _ in Self.make(draft) }, name: { Self.takeName($0, $1, link) },
      remove: { unlink($0) })
  }

  init(
    make: @escaping @Sendable (String, String) -> Int32,
    name: @escaping @Sendable (String, String) -> Int32,
    remove: @escaping @Sendable (String) -> Void, refusal: String? = nil
  ) {
    (self.make, self.name, self.remove, self.refusal) = (make, name, remove, refusal)
  }

  /// Makes a file that is not there: a descriptor, or an error of the system, negative.
  static func make(_ draft: String) -> Int32 {
    let descriptor = Platform.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    return descriptor >= 0 ? descriptor : -errno
  }

  /// Gives a draft its name; nothing that is there is replaced.
  /// - Returns: 0 or an error of the system.
  static func takeName(_ draft: String, _ path: String, _ link: Link) -> Int32 {
    // Unlike rename, link replaces nothing.
    let error = link(draft, path)
    if error == 0 { unlink(draft) }
    if error == 0 || error == EEXIST { return error }
    // FAT and many networks have no links: an empty file holds the place that rename then takes.
    let place = Platform.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard place >= 0 else { return errno }
    close(place)
    guard rename(draft, path) == 0 else {
      let error = errno
      unlink(path)
      return error
    }
    return 0
  }
}

/// A file that is written beside the place where it is wanted, and gets its name when all of it is
/// there. One thread writes; any thread may drop it.
final class DraftFile: Sendable {
  /// Why there is no file.
  struct Failure: Error, Equatable, CustomStringConvertible {
    /// For the person who wants the file.
    var words: String
    /// Whether there is another file of that name.
    var exists = false

    var description: String { words }
  }

  private struct State {
    /// The file that is being written; -1 before the first and after the last byte.
    var descriptor: Int32 = -1
    /// Whether the descriptor is lent: only who has it closes it then.
    var isInUse = false
    var isOver = false

    mutating func close() {
      if descriptor >= 0 { Platform.close(descriptor) }
      descriptor = -1
    }
  }

  /// Where the file is wanted.
  let path: String
  /// Where it is until then.
  let draft: String
  private let places: DraftPlaces
  private let state = Mutex(State())

  /// A file of which there is nothing yet.
  /// - Parameters:
  ///   - path: where it is wanted.
  ///   - number: tells it from others of this process that are wanted there.
  ///   - places: makes, names and removes it.
  init(for path: String, number: Int, places: DraftPlaces = DraftPlaces()) {
    self.path = path
    self.places = places
    draft = "\(path).\(getpid())-\(number).part"
  }

  /// Makes the draft.
  /// - Returns: whether there is one now; not when it was dropped before.
  /// - Throws: `Failure` when something is there already, or nothing can be made there.
  func open() throws(Failure) -> Bool {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw Failure(words: "\(path) is there already", exists: true)
    }
    let descriptor = places.make(draft, path)
    guard descriptor >= 0 else {
      let refusal = -descriptor == EPERM ? places.refusal : nil
      throw Failure(words: "\(path) cannot be made: \(refusal ?? Self.reason(-descriptor))")
    }
    return state.withLock { state in
      state.descriptor = descriptor
      guard state.isOver else { return true }
      places.remove(draft)
      state.close()
      return false
    }
  }

  /// Lends the descriptor. Whoever drops the file meanwhile leaves closing it to the end of this.
  /// - Parameter body: gets the descriptor, which is that of the draft as long as it takes.
  /// - Returns: whether there was one to lend.
  /// - Throws: what `body` throws.
  @discardableResult
  func use(_ body: (Int32) throws(Failure) -> Void) throws(Failure) -> Bool {
    let lent = state.withLock { state -> Int32? in
      guard !state.isOver, state.descriptor >= 0 else { return nil }
      state.isInUse = true
      return state.descriptor
    }
    guard let lent else { return false }
    defer {
      state.withLock { state in
        state.isInUse = false
        if state.isOver { state.close() }
      }
    }
    try body(lent)
    return true
  }

  /// Writes what comes next.
  /// - Returns: whether it is written; not when the file was dropped.
  /// - Throws: `Failure` when it cannot be written.
  func write(_ bytes: [UInt8]) throws(Failure) -> Bool {
    try use { descriptor throws(Failure) in
      let error = OutputDescriptor(descriptor).write(bytes)
      if error != 0 { throw Failure(words: "\(path): \(Self.reason(error))") }
    }
  }

  /// Gives the file, all of which is written, its name; nothing that is there is replaced.
  /// - Returns: whether it has the name; not when it was dropped before.
  /// - Throws: `Failure` when it cannot have the name: the draft stays then.
  func complete() throws(Failure) -> Bool {
    let isSafe = try use { descriptor throws(Failure) in
      if fsync(descriptor) != 0 { throw Failure(words: "\(path): \(Self.reason(errno))") }
    }
    guard isSafe else { return false }
    return try state.withLock { state throws(Failure) in
      guard !state.isOver else { return false }
      state.isOver = true
      state.close()
      let error = places.name(draft, path)
      guard error != 0 else { return true }
      let name = path.split(separator: "/").last ?? ""
      let why = error == EEXIST ? "is there already" : "cannot be made (\(Self.reason(error)))"
      throw Failure(words: "\(name) \(why); all of it is in \(draft)")
    }
  }

  /// Stops writing; nothing of a file that has not got its name stays.
  func drop() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      guard state.descriptor >= 0 else { return }
      places.remove(draft)
      if !state.isInUse { state.close() }
    }
  }

  private static func reason(_ error: Int32) -> String { LocalFile.words(for: error) }
}
