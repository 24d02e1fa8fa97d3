/// The chain of decoders for the codings of a message. Content is pushed in and pulled out in
/// chunks, so a small input that decompresses to a huge output is never held in memory as a whole.
package final class CodingChain {
  /// A coding that was applied to the content.
  package struct Coding: Sendable, Equatable {
    /// The name in lower case.
    package var name: String
    /// Whether binary content that is not encoded is passed through, as text always is. Only `gzip`
    /// and `zstd` support this: encoded content has no signature in other codings.
    package var passesBinary: Bool

    package init(name: String, passesBinary: Bool) {
      (self.name, self.passesBinary) = (name, passesBinary)
    }
  }

  /// An error for content that cannot be decoded as the named coding.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the coding.
    package let coding: String
    /// Details for logs, or empty.
    package let message: String

    /// A line for logs.
    package var description: String {
      "the content cannot be decoded as \(coding)" + (message.isEmpty ? "" : " (\(message))")
    }
  }

  /// The maximum number of codings of one message. In practice, there are at most two, and each
  /// decoder needs memory.
  package static let maxCodings = 8
  private static let chunkSize = 65_536

  private let stages: [Stage]
  /// The number of decoded bytes that were pulled.
  package private(set) var length: Int64 = 0

  private final class Stage {
    let decoder: any ContentDecoder
    /// The name of the coding in the header.
    let coding: String
    var input: [UInt8] = []
    var position = 0
    var hasInput = false

    init(_ decoder: any ContentDecoder, _ coding: String) {
      (self.decoder, self.coding) = (decoder, coding)
    }
  }

  /// Creates the decoders for codings in the order in which they were applied; nil if one of them
  /// is unknown, or if there are too many. `identity` is ignored.
  package init?(_ codings: [Coding]) {
    let named = codings.filter { $0.name != "identity" }
    guard named.count <= Self.maxCodings else { return nil }
    var stages: [Stage] = []
    for coding in named.reversed() {
      guard let decoder = Self.decoder(coding.name, passesBinary: coding.passesBinary) else {
        return nil
      }
      stages.append(Stage(decoder, coding.name))
    }
    self.stages = stages
  }

  /// Creates a chain that passes content through unchanged.
  package init() { stages = [] }

  /// Whether content is passed through unchanged, and must neither be pushed nor pulled.
  package var isIdentity: Bool { stages.isEmpty }

  /// Whether every encoded stream was decoded to its end. The checksum of a gzip stream may be
  /// missing.
  /// - Parameter isEnded: whether the framing of the message delimits the content. If it does not,
  ///   empty content may have been truncated too.
  /// - Returns: whether all have ended.
  package func isComplete(isEnded: Bool = true) -> Bool {
    stages.allSatisfy { $0.decoder.hasAllContent || isEnded && !$0.hasInput }
  }

  /// Provides the next encoded bytes. Call this only after all previous bytes have been consumed.
  package func push(_ bytes: [UInt8]) {
    guard let first = stages.first else { return }
    first.input = bytes
    first.position = 0
    first.hasInput = first.hasInput || !bytes.isEmpty
  }

  /// Returns the next chunk of decoded content; nil if more input is needed.
  package func pull() throws(Failure) -> [UInt8]? {
    guard let chunk = try pull(stage: stages.count - 1) else { return nil }
    length += Int64(chunk.count)
    return chunk
  }

  private func pull(stage index: Int) throws(Failure) -> [UInt8]? {
    guard index >= 0 else { return nil }
    let stage = stages[index]
    while true {
      var failure: DecodingFailure?
      var consumed = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { output, count in
        stage.input.withUnsafeBytes { input in
          let remainingInput = UnsafeRawBufferPointer(rebasing: input[stage.position...])
          do throws(DecodingFailure) {
            (consumed, count) = try stage.decoder.step(
              remainingInput, into: UnsafeMutableRawBufferPointer(output))
          } catch {
            failure = error
          }
        }
      }
      if let failure { throw Failure(coding: stage.coding, message: failure.message) }
      stage.position += consumed
      if !chunk.isEmpty { return chunk }
      // Data after the end of a stream is ignored.
      if consumed == 0, stage.decoder.isFinished { stage.position = stage.input.count }
      if stage.position < stage.input.count, consumed > 0 { continue }
      if index == 0 { return nil }
      guard let bytes = try pull(stage: index - 1) else { return nil }
      stage.input = bytes
      stage.position = 0
      stage.hasInput = true
    }
  }

  private static func decoder(
    _ coding: String, passesBinary: Bool
  ) -> (any ContentDecoder)? {
    switch coding {
    case "gzip", "x-gzip": DeflateDecoder(isGzip: true, passesBinary: passesBinary)
    case "deflate": DeflateDecoder(isGzip: false)
    case "br": BrotliDecoder()
    case "zstd": ZstdDecoder(passesBinary: passesBinary)
    default: nil
    }
  }
}
