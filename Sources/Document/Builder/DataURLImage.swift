import Foundation

/// Inspects `data:` URLs of images.
enum DataURLImage {
  /// Returns whether the image is a placeholder: a GIF or PNG of less than 4 by 4 pixels, or data
  /// that is empty or too short to contain a size.
  static func isBlank(_ url: String) -> Bool {
    guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return true }
    let content = url.utf8[url.utf8.index(after: comma)...]
    // 32 characters of base64 decode to 24 bytes, which include the size.
    let start = String(decoding: content.prefix(96), as: UTF8.self).removingPercentEncoding ?? ""
    guard !start.isEmpty else { return true }
    guard let bytes = Data(base64Encoded: String(start.prefix(32))).map(Array.init) else {
      return false
    }
    guard bytes.count == 24 else { return true }
    switch bytes[..<4] {
    case [0x47, 0x49, 0x46, 0x38]:
      return bytes[7] == 0 && bytes[9] == 0 && max(bytes[6], bytes[8]) < 4
    case [0x89, 0x50, 0x4E, 0x47]:
      let isShort = (bytes[16..<19] + bytes[20..<23]).allSatisfy { $0 == 0 }
      return isShort && max(bytes[19], bytes[23]) < 4
    default: return false
    }
  }
}
