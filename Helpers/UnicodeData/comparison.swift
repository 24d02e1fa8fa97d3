// Prints results of Foundation that depend on the data of ICU. scripts/reduce-libraries links this
// program with all of the data and with a part of it; both must print the same.
//
// Results of long loops are printed as hashes. The functions that offread uses come first. Formatters
// and regular expressions, which it does not use, trap when data that they need are missing.

import Foundation

/// An FNV-1a hash of strings.
struct Digest {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    value = (value ^ 0xFF) &* 0x100_0000_01b3
  }

  mutating func add(_ number: Int) { add(String(number)) }

  var text: String { String(value, radix: 16) }
}

func digest(_ body: (inout Digest) throws -> Void) rethrows -> String {
  var digest = Digest()
  try body(&digest)
  return digest.text
}

let scalars = (0...0x2FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
let dates = stride(from: -1.2e9, to: 2.6e9, by: 1.7e7).map(Date.init(timeIntervalSince1970:))
let samples = [
  "Straße", "İstanbul ǅ ﬁ", "Ἀθῆναι Σ", "한국어 각", "e\u{301}\u{323}", "क्षि", "ﷺ ①Ⅷ㌔", "日本語ｶﾞ",
  "👩‍👩‍👧 🇩🇪", "ไทย", "שָׁלוֹם", "x\u{200D}y",
]

func printStrings() {
  print(
    "scalars",
    digest { digest in
      for scalar in scalars {
        let text = String(scalar)
        digest.add(text.precomposedStringWithCanonicalMapping)
        digest.add(text.decomposedStringWithCanonicalMapping)
        digest.add(text.precomposedStringWithCompatibilityMapping)
        digest.add(text.decomposedStringWithCompatibilityMapping)
        digest.add(text.lowercased())
        digest.add(text.uppercased())
      }
    })
  print(
    "folding",
    digest { digest in
      for scalar in scalars where scalar.value < 0x3000 {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        digest.add("a\(scalar)".folding(options: options, locale: nil))
        digest.add("\(scalar)b".capitalized)
      }
    })
  for text in samples {
    let folded = text.folding(options: [.caseInsensitive, .widthInsensitive], locale: nil)
    print(text, folded, text.capitalized, text.precomposedStringWithCompatibilityMapping)
    let found = "x \(text.uppercased())".range(of: text.lowercased(), options: .caseInsensitive)
    print(found.map { "x \(text.uppercased())"[$0] } ?? "-", text.count)
    print(text.trimmingCharacters(in: .letters), text.components(separatedBy: .whitespaces))
    print(text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "-")
    for encoding in [String.Encoding.utf8, .utf16, .utf32, .isoLatin1, .windowsCP1252, .ascii] {
      print(text.data(using: encoding)?.base64EncodedString() ?? "-", terminator: " ")
    }
    print()
  }
  print(String(format: "%d %@ %5.2f", 1_234_567, "text", 3.14159))
}

func printURLs() {
  let hosts = [
    "bücher.example", "faß.example", "例え.テスト", "ΣΊΣΥΦΟΣ.example", "xn--mgbh0fb.example",
    "a\u{200D}b.example",
    "मराठी.example", "ไทย.example", "☕.example", "عربي.example", "ｅｘａｍｐｌｅ.com", "１.２.３.４",
    "ab--c.example",
  ]
  for host in hosts {
    let url = URL(string: "https://\(host)/straße?q=ü#é")
    var components = URLComponents()
    components.scheme = "https"
    components.host = host
    print(host, url?.absoluteString ?? "-", components.string ?? "-", components.encodedHost ?? "-")
    print(URL(string: "../ü", relativeTo: url)?.absoluteString ?? "-")
  }
}

func printDates() throws {
  print(
    "zones",
    digest { digest in
      for name in TimeZone.knownTimeZoneIdentifiers.sorted() + [
        "GMT+3", "EST", "UTC", "Asia/Calcutta",
      ] {
        guard let zone = TimeZone(identifier: name) else { continue }
        digest.add(name)
        for date in dates {
          digest.add(zone.secondsFromGMT(for: date))
          digest.add(zone.isDaylightSavingTime(for: date) ? 1 : 0)
        }
      }
    })
  let zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "UTC"]
  for zone in zones.compactMap(TimeZone.init(identifier:)) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let style = Date.ISO8601FormatStyle(timeZone: zone)
    print(
      zone.identifier,
      digest { digest in
        for date in dates {
          digest.add(date.formatted(style.year().month().day()))
          digest.add(date.formatted(style.time(includingFractionalSeconds: true)))
          let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .weekOfYear], from: date)
          digest.add("\(parts)")
          digest.add("\(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0)")
        }
      })
  }
  print(Date(timeIntervalSince1970: 1.7e9).ISO8601Format(), Date(timeIntervalSince1970: 1.7e9))
  print(try Date("2026-11-03T14:05:00Z", strategy: .iso8601).timeIntervalSince1970)
}

func printCoding() throws {
  struct Entry: Codable {
    var date = Date(timeIntervalSince1970: 1.7e9)
    var text = samples
    var url = URL(string: "https://bücher.example/")
    var number = 1.5e-7
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
  encoder.dateEncodingStrategy = .iso8601
  let text = String(decoding: try encoder.encode(Entry()), as: UTF8.self)
  print(text)
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = .iso8601
  for encoding in [String.Encoding.utf8, .utf16, .utf32, .utf16LittleEndian] {
    let entry = try? decoder.decode(Entry.self, from: text.data(using: encoding) ?? Data())
    print(entry?.text ?? [])
  }
  for code in [CocoaError.fileNoSuchFile, .fileReadNoPermission, .fileWriteOutOfSpace] {
    print(CocoaError(code).localizedDescription, POSIXError(.ENOENT).localizedDescription)
  }
}

// What offread does not use.
func printFormatters() throws {
  let english = Locale(identifier: "en_US")
  let date = Date(timeIntervalSince1970: 1.7e9)
  let formatter = DateFormatter()
  (formatter.locale, formatter.timeZone) = (english, TimeZone(identifier: "Europe/Berlin"))
  for style in [DateFormatter.Style.short, .medium, .long, .full] {
    (formatter.dateStyle, formatter.timeStyle) = (style, style)
    print(formatter.string(from: date))
  }
  formatter.dateFormat = "EEE, d MMM yyyy HH:mm:ss zzz ZZZZ VVVV"
  print(formatter.string(from: date), formatter.date(from: formatter.string(from: date)) ?? date)
  for style in [
    NumberFormatter.Style.decimal, .currency, .percent, .scientific, .spellOut, .ordinal,
  ] {
    let formatter = NumberFormatter()
    (formatter.locale, formatter.numberStyle) = (english, style)
    print(formatter.string(from: 1234567.891) ?? "-")
  }
  print(
    date.formatted(Date.FormatStyle(locale: english, timeZone: .gmt).weekday(.wide).month().day()))
  print(1234.5.formatted(.number.locale(english)), 0.25.formatted(.percent.locale(english)))
  print(["a", "b", "c"].formatted(.list(type: .and).locale(english)))
  print(Duration.seconds(3725).formatted(.units().locale(english)))
  print(Int64(123_456_789).formatted(.byteCount(style: .file).locale(english)))
  let text = "Straße 12, ÄRGER 3.5 日本語"
  let expression = try NSRegularExpression(
    pattern: "\\b(\\p{L}+)\\s+(\\d+)", options: .caseInsensitive)
  let range = NSRange(text.startIndex..., in: text)
  print(expression.matches(in: text, range: range).map(\.range))
  print(
    text.range(of: "ä[a-z]+", options: [.regularExpression, .caseInsensitive]).map { text[$0] }
      ?? "-")
  // Languages without data use the root.
  for name in ["de_DE", "ja_JP", "th_TH", "ar_EG", "zh_Hant_TW", "fa_IR"] {
    let formatter = DateFormatter()
    (formatter.locale, formatter.dateStyle) = (Locale(identifier: name), .full)
    _ = formatter.string(from: date)
    _ = 1234.5.formatted(.number.locale(Locale(identifier: name)))
    _ = Locale(identifier: name).localizedString(forLanguageCode: "de")
  }
  let current = DateFormatter()
  current.dateStyle = .full
  _ = current.string(from: date)
  _ = date.formatted(date: .complete, time: .complete)
  _ = "ä".localizedCompare("z")
  _ = "ä".localizedStandardContains("A")
}

print(TimeZone.current.identifier, TimeZone.current.secondsFromGMT(for: dates[0]))
printStrings()
printURLs()
try printDates()
try printCoding()
try printFormatters()
