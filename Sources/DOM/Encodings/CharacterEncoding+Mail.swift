// Charsets of mail that the Encoding standard does not have, because no web page uses them.

extension CharacterEncoding {
  /// Returns the encoding for a charset of mail that is not a label of the Encoding standard, or
  /// that web pages must not use; nil for others, and if iconv does not support the encoding.
  package init?(mailCharset label: some StringProtocol) {
    let key = label.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if key == "hzgb2312" || key == "hz" {
      self.init(name: Self.hzName)
      return
    }
    if let known = Self.webLabels[key] {
      self.init(label: known.utf8)
      return
    }
    let page = ["cp", "ibm", "dos"].first(where: key.hasPrefix).map {
      String(key.dropFirst($0.count))
    }
    guard
      let name = Self.mailNames[key]
        ?? page.flatMap({ Self.codePages.contains($0) ? "CP" + $0 : nil }),
      IconvConversion.isSupported(name)
    else { return nil }
    self.init(name: name)
  }

  /// The name of the encoding HZ (RFC 1843).
  static let hzName = "HZ-GB-2312"

  /// Labels of the Encoding standard for other names of the same encodings.
  private static let webLabels = [
    "cp932": "shift_jis", "windows932": "shift_jis", "sjiswin": "shift_jis",
    "cp936": "gbk", "ms936": "gbk", "windows936": "gbk",
    "cp949": "euc-kr", "ms949": "euc-kr", "uhc": "euc-kr", "xwindows949": "euc-kr",
    "cp950": "big5", "ms950": "big5", "windows950": "big5",
    "eucjpms": "euc-jp", "cp51932": "euc-jp",
    "iso2022jp1": "iso-2022-jp", "iso2022jp2": "iso-2022-jp", "iso2022jpms": "iso-2022-jp",
    "cp50220": "iso-2022-jp", "cp50221": "iso-2022-jp",
  ]

  /// The names that iconv uses for encodings of mail.
  private static let mailNames = [
    "utf7": "UTF-7", "unicode11utf7": "UTF-7", "iso2022kr": "ISO-2022-KR",
    "csiso2022kr": "ISO-2022-KR", "iso2022cn": "ISO-2022-CN", "johab": "JOHAB", "cp1361": "JOHAB",
    "euctw": "EUC-TW", "viscii": "VISCII", "armscii8": "ARMSCII-8",
  ]

  /// The code pages of MS-DOS.
  private static let codePages: Set<String> = [
    "437", "737", "775", "850", "852", "855", "857", "858", "860", "861", "862", "863", "864",
    "865", "869",
  ]
}
