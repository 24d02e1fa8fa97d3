import Foundation

/// Tries random variations of known inputs, without the coverage that libFuzzer follows, which
/// takes most of the time of an input.
struct RandomInputs {
  /// The known inputs: the corpus of the parser.
  private let known: [[UInt8]]
  private var random: SplitMix64
  /// The greatest length of an input in bytes.
  private static let maxLength = 1 << 13

  init(corpus: [String], seed: UInt64) throws {
    known = try corpus.flatMap { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      return names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
    }.map { [UInt8]($0.prefix(Self.maxLength)) }
    random = SplitMix64(seed: seed)
  }

  /// Runs a test with random inputs. If one ends the process or takes longer than ten seconds, it
  /// is in the file afterwards; otherwise the file is removed.
  /// - Parameters:
  ///   - count: the number of inputs.
  ///   - file: the path of the file.
  ///   - test: the test.
  /// - Throws: an error if the file cannot be written.
  mutating func run(_ count: Int, keeping file: String, _ test: (_ input: [UInt8]) -> Void) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    for _ in 0..<count {
      let input = next()
      let isWritten =
        pwrite(descriptor, input, input.count, 0) == input.count
        && ftruncate(descriptor, off_t(input.count)) == 0
      guard isWritten else { throw CocoaError(.fileWriteUnknown) }
      alarm(10)
      test(input)
    }
    alarm(0)
    unlink(file)
  }

  /// Returns the next input: a known one with up to eight changes, or random bytes.
  private mutating func next() -> [UInt8] {
    var bytes: [UInt8] = []
    if let start = known.randomElement(using: &random), Int.random(in: 0..<16, using: &random) > 0 {
      bytes = start
      for _ in 0..<(1 << Int.random(in: 0...3, using: &random)) { change(&bytes) }
    } else {
      let count = 1 << Int.random(in: 0...10, using: &random)
      bytes = (0..<count).map { _ in .random(in: 0...255, using: &random) }
    }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + (1 << Int.random(in: 0...6, using: &random)))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3:
      guard let other = known.randomElement(using: &random), !other.isEmpty else { return }
      let start = Int.random(in: 0..<other.count, using: &random)
      bytes.replaceSubrange(place..<end, with: other[start..<min(other.count, start + 64)])
    case 4 where place < bytes.count:
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default:
      if place < bytes.count { bytes[place] = .random(in: 0...255, using: &random) }
    }
    bytes.removeLast(max(0, bytes.count - Self.maxLength))
  }
}
