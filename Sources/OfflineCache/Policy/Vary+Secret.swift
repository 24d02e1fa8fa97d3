import Foundation
import WARC

extension Vary {
  /// Makes a selection that keeps secret values as HMAC-SHA-256 only.
  /// - Parameter secret: the key.
  init(secret: [UInt8]) {
    self.init { value in
      "hmac-sha256:"
        + Data(DigestBuilder.hmacSHA256(of: value.utf8, key: secret)).base64EncodedString()
    }
  }
}
