import CNettle

/// Computes a digest incrementally, using Nettle.
public struct DigestBuilder: Sendable {
  private enum Context: Sendable {
    case md5(md5_ctx)
    case sha1(sha1_ctx)
    case sha256(sha256_ctx)
    case sha384(sha512_ctx)
    case sha512(sha512_ctx)
  }

  private var context: Context

  /// The version of the linked Nettle library.
  public static var nettleVersion: String { "\(nettle_version_major()).\(nettle_version_minor())" }

  /// Creates a builder for the digest of no bytes.
  /// - Parameter algorithm: the hash function.
  public init(_ algorithm: WARCDigest.Algorithm) {
    switch algorithm {
    case .md5: context = .md5(Self.initialized(md5_ctx(), nettle_md5_init))
    case .sha1: context = .sha1(Self.initialized(sha1_ctx(), nettle_sha1_init))
    case .sha256: context = .sha256(Self.initialized(sha256_ctx(), nettle_sha256_init))
    case .sha384: context = .sha384(Self.initialized(sha512_ctx(), nettle_sha384_init))
    case .sha512: context = .sha512(Self.initialized(sha512_ctx(), nettle_sha512_init))
    }
  }

  /// Adds bytes.
  /// - Parameter bytes: the bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    switch context {
    case .md5(var state):
      nettle_md5_update(&state, bytes.count, start)
      context = .md5(state)
    case .sha1(var state):
      nettle_sha1_update(&state, bytes.count, start)
      context = .sha1(state)
    case .sha256(var state):
      nettle_sha256_update(&state, bytes.count, start)
      context = .sha256(state)
    case .sha384(var state):
      nettle_sha512_update(&state, bytes.count, start)
      context = .sha384(state)
    case .sha512(var state):
      nettle_sha512_update(&state, bytes.count, start)
      context = .sha512(state)
    }
  }

  /// Adds bytes.
  /// - Parameter bytes: the bytes.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// Returns the digest of all bytes so far.
  /// - Returns: the digest. More bytes can be added afterwards.
  public func digest() -> WARCDigest {
    switch context {
    case .md5(var state):
      WARCDigest(algorithm: .md5, bytes: Self.bytes(16) { nettle_md5_digest(&state, 16, $0) })
    case .sha1(var state):
      WARCDigest(algorithm: .sha1, bytes: Self.bytes(20) { nettle_sha1_digest(&state, 20, $0) })
    case .sha256(var state):
      WARCDigest(algorithm: .sha256, bytes: Self.bytes(32) { nettle_sha256_digest(&state, 32, $0) })
    case .sha384(var state):
      WARCDigest(algorithm: .sha384, bytes: Self.bytes(48) { nettle_sha384_digest(&state, 48, $0) })
    case .sha512(var state):
      WARCDigest(algorithm: .sha512, bytes: Self.bytes(64) { nettle_sha512_digest(&state, 64, $0) })
    }
  }

  private static func initialized<State>(
    _ state: State, _ begin: (UnsafeMutablePointer<State>) -> Void
  ) -> State {
    var state = state
    begin(&state)
    return state
  }

  private static func bytes(
    _ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      guard let start = buffer.baseAddress else { return }
      write(start)
      written = count
    }
  }
}

extension DigestBuilder {
  /// Returns the digest of some bytes.
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - algorithm: the hash function.
  /// - Returns: the octets of the digest.
  package static func bytes(
    of bytes: some Collection<UInt8>, _ algorithm: WARCDigest.Algorithm
  ) -> [UInt8] {
    var builder = DigestBuilder(algorithm)
    builder.update(bytes)
    return builder.digest().bytes
  }

  /// Returns a message authentication code (HMAC-SHA-256; RFC 2104, RFC 6234).
  /// - Parameters:
  ///   - message: the message to authenticate.
  ///   - key: the key.
  /// - Returns: the 32 octets of the code.
  package static func hmacSHA256(of message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    let message = Array(message)
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, message.count, message)
    return bytes(32) { nettle_hmac_sha256_digest(&context, 32, $0) }
  }
}
