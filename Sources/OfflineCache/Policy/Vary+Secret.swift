import Crypto
import Foundation

extension Vary {
  /// Makes a selection that keeps secret values as HMAC-SHA-256 only.
  /// - Parameter secret: the key.
  init(secret: [UInt8]) {
    self.init { value in
      let key = SymmetricKey(data: secret)
      let code = HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key)
      return "hmac-sha256:" + Data(code).base64EncodedString()
    }
  }
}
