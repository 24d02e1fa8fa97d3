import Platform

/// Guesses the encoding of undeclared text with Mozilla's detector (libuchardet).
///
/// The library is loaded on demand, because few pages need it and loading would slow down every
/// start. Without it, the guess is windows-1252.
enum EncodingGuesser {
  /// Returns the most likely encoding of text that is not UTF-8.
  static func encoding(
    of bytes: UnsafeBufferPointer<UInt8>, isMarkup: Bool
  ) -> CharacterEncoding {
    let sample = sample(of: bytes, isMarkup: isMarkup)
    // Quotation marks, dashes and the like are the same in all windows-125x encodings.
    if sample.allSatisfy({ $0 < 0x80 || bytesSharedByWindowsEncodings.contains($0) }) {
      return .windows1252
    }
    let guess = EncodingDetector.shared?.encodingName(of: sample)
    // The code pages for Cyrillic have the same drawings.
    if guess != "IBM866", guess != "IBM855", consistsOfDrawings(sample),
      let encoding = CharacterEncoding(mailCharset: "cp437")
    {
      return encoding
    }
    guard let name = guess, let encoding = encoding(named: name, sample) else {
      return .windows1252
    }
    return isMostlyValid(encoding, sample) ? encoding : .windows1252
  }

  /// Returns whether most bytes above 0x7F are runs of the lines, blocks and shades that the code
  /// pages of MS-DOS have for drawings. In other encodings, these are letters, which do not recur.
  private static func consistsOfDrawings(_ sample: [UInt8]) -> Bool {
    var (nonASCIICount, drawnCount, index) = (0, 0, 0)
    var (kinds, drawnKinds): (Set<UInt8>, Set<UInt8>) = ([], [])
    while index < sample.count {
      let byte = sample[index]
      var end = index + 1
      while end < sample.count, sample[end] == byte { end += 1 }
      if byte >= 0x80 { nonASCIICount += end - index }
      if (0xB0...0xDF).contains(byte) { kinds.insert(byte) }
      if end - index >= 4, drawingBytes.contains(byte) {
        drawnCount += end - index
        drawnKinds.insert(byte)
      }
      index = end
    }
    if drawnKinds.isSubset(of: bytesOfOtherLines) { return false }
    return drawnCount >= 16 && drawnCount * 2 >= nonASCIICount && kinds.count >= 3
  }

  /// The drawing bytes with which texts in other encodings draw lines, too: `°`, `±` and `²`, and
  /// in windows-1256 `ـ`, which lengthens Arabic words.
  private static let bytesOfOtherLines: Set<UInt8> = [0xB0, 0xB1, 0xB2, 0xDC]

  /// The bytes of `░`, `▒`, `▓`, `─`, `═`, `█`, `▄` and `▀` in the code pages of MS-DOS.
  private static let drawingBytes: Set<UInt8> = [0xB0, 0xB1, 0xB2, 0xC4, 0xCD, 0xDB, 0xDC, 0xDF]

  /// Returns the text for the detector: of markup, the pieces of text with bytes above 0x7F, or all
  /// of it if there are none.
  private static func sample(
    of bytes: UnsafeBufferPointer<UInt8>, isMarkup: Bool
  ) -> [UInt8] {
    var sample: [UInt8] = []
    if isMarkup {
      var index = 0
      while index < bytes.count, sample.count < maxSampleSize {
        let end = bytes.firstIndex(of: UInt8(ascii: "<"), from: index)
        let text = bytes[index..<end]
        if text.contains(where: { $0 >= 0x80 }) {
          sample += text.prefix(maxSampleSize)
          sample.append(0x20)
        }
        index = endOfMarkup(bytes, from: end)
      }
    }
    return sample.isEmpty ? Array(bytes.prefix(maxSampleSize)) : sample
  }

  private static let maxSampleSize = 1 << 16

  /// Returns the index after a tag, or that of the end of a comment, a script or a style sheet.
  private static func endOfMarkup(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    for (opening, closing) in [
      ("<script", "</script"), ("<style", "</style"), ("<!--", "-->"),
    ] as [(StaticString, StaticString)] where bytes.hasPrefix(opening, at: start) {
      var index = bytes.firstIndex(of: closing.utf8Start[0], from: start + 1)
      while index < bytes.count, !bytes.hasPrefix(closing, at: index) {
        index = bytes.firstIndex(of: closing.utf8Start[0], from: index + 1)
      }
      return index
    }
    return min(bytes.count, bytes.firstIndex(of: UInt8(ascii: ">"), from: start) + 1)
  }

  /// The bytes above 0x7F with the same meaning in windows-1250 to windows-1258.
  private static let bytesSharedByWindowsEncodings: Set<UInt8> = [
    0x82, 0x84, 0x85, 0x86, 0x87, 0x89, 0x8B, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9B,
    0xA0, 0xA6, 0xA7, 0xA9, 0xAB, 0xAC, 0xAD, 0xAE, 0xB0, 0xB1, 0xB5, 0xB6, 0xB7, 0xBB,
  ]

  /// Returns the encoding for a result of the detector; nil for UTF encodings and unknown names. A
  /// rare Latin encoding is replaced by a common one that is similar, because the detector is more
  /// often wrong than right about such encodings.
  private static func encoding(named name: String, _ sample: [UInt8]) -> CharacterEncoding? {
    switch name {
    case "ISO-8859-3", "ISO-8859-10", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16": .windows1252
    case "ISO-8859-4", "ISO-8859-13": CharacterEncoding(label: "windows-1257".utf8)
    case "KOI8-R" where sample.contains(where: ukrainianLetters.contains):
      CharacterEncoding(label: "koi8-u".utf8)
    case "UHC": CharacterEncoding(label: "euc-kr".utf8)
    case "MAC-CYRILLIC": CharacterEncoding(label: "x-mac-cyrillic".utf8)
    case let name where name.hasPrefix("UTF-"): nil
    default: CharacterEncoding(label: name.utf8)
    }
  }

  /// The letters of KOI8-U that are box drawings in KOI8-R.
  private static let ukrainianLetters: Set<UInt8> = [
    0xA4, 0xA6, 0xA7, 0xAD, 0xB4, 0xB6, 0xB7, 0xBD,
  ]

  /// Whether nearly all of the sample is valid in an encoding.
  private static func isMostlyValid(_ encoding: CharacterEncoding, _ sample: [UInt8]) -> Bool {
    guard encoding.name != "replacement" else { return false }
    let decoded = encoding.decode(sample)
    var (characters, errors) = (0, 0)
    for index in decoded.indices where decoded[index] >= 0xC0 {
      characters += 1
      if decoded[index] == 0xEF, index + 2 < decoded.count, decoded[index + 1] == 0xBF,
        decoded[index + 2] == 0xBD
      {
        errors += 1
      }
    }
    // The sample may end within a character.
    return errors <= 1 + characters / 50
  }
}

/// libuchardet, loaded on first use.
private final class EncodingDetector: Sendable {
  private typealias CreateFunction = @convention(c) () -> OpaquePointer?
  private typealias ConsumeFunction =
    @convention(c) (OpaquePointer, UnsafePointer<UInt8>?, Int) -> Int32
  private typealias HandleFunction = @convention(c) (OpaquePointer) -> Void
  private typealias ResultFunction = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?

  private let createHandle: CreateFunction
  private let feedData: ConsumeFunction
  private let endData: HandleFunction
  private let charsetName: ResultFunction
  private let deleteHandle: HandleFunction

  /// Nil if the library is not installed.
  static let shared = EncodingDetector()

  private init?() {
    let names = ["libuchardet.so.0", "libuchardet.0.dylib"]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
      let make = dlsym(library, "uchardet_new"),
      let receive = dlsym(library, "uchardet_handle_data"),
      let end = dlsym(library, "uchardet_data_end"),
      let response = dlsym(library, "uchardet_get_charset"),
      let delete = dlsym(library, "uchardet_delete")
    else { return nil }
    // The types are those of uchardet.h.
    self.createHandle = unsafeBitCast(make, to: CreateFunction.self)
    self.feedData = unsafeBitCast(receive, to: ConsumeFunction.self)
    self.endData = unsafeBitCast(end, to: HandleFunction.self)
    self.charsetName = unsafeBitCast(response, to: ResultFunction.self)
    self.deleteHandle = unsafeBitCast(delete, to: HandleFunction.self)
  }

  /// Returns the encoding name for a text, or nil without a guess.
  func encodingName(of text: [UInt8]) -> String? {
    guard let state = createHandle() else { return nil }
    defer { deleteHandle(state) }
    guard feedData(state, text, text.count) == 0 else { return nil }
    endData(state)
    let name = charsetName(state).map { String(cString: $0) }
    return name?.isEmpty == false ? name : nil
  }
}
