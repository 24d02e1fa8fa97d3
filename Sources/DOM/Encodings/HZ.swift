/// HZ (RFC 1843), which writes characters of GB 2312 as two bytes of ASCII between `~{` and `~}`.
enum HZ {
  /// Returns the same text in GBK, which marks these characters by bytes above 0x7F.
  static func convertedToGBK(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isChinese = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (byte, next) {
      case (UInt8(ascii: "~"), UInt8(ascii: "{")): isChinese = true
      case (UInt8(ascii: "~"), UInt8(ascii: "}")) where isChinese: isChinese = false
      case (UInt8(ascii: "~"), UInt8(ascii: "~")) where !isChinese: result.append(byte)
      // A tilde at the end of a line continues the line.
      case (UInt8(ascii: "~"), 0x0A) where !isChinese: break
      case (UInt8(ascii: "~"), 0x0D)
      where !isChinese && index + 2 < bytes.count && bytes[index + 2] == 0x0A:
        index += 1
      case (0x21...0x7D, 0x21...0x7E) where isChinese: result += [byte | 0x80, next | 0x80]
      default:
        // Each line begins with ASCII.
        if byte == 0x0A { isChinese = false }
        result.append(byte)
        index += 1
        continue
      }
      index += 2
    }
    return result
  }
}
