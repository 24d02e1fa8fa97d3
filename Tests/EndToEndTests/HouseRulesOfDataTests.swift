import Foundation
import Testing

/// Limits on the use of Foundation, because the program contains a part of the data of ICU only
/// (scripts/reduce-libraries).
@Suite struct HouseRulesOfDataTests {
  /// Names of Foundation whose results depend on the data of languages other than English, on
  /// collation, transliteration or converters.
  private static let names = [
    "localizedString(", "localizedName(", "localizedCompare", "localizedStandard",
    "localizedCaseInsensitive", "applyingTransform", "StringTransform", "String.Encoding.japanese",
    "encoding: .japaneseEUC", "encoding: .shiftJIS", "encoding: .iso2022JP", "CFString",
    "DateFormatter", "NumberFormatter", "RelativeDateTimeFormatter",
    "ByteCountFormatter", "MeasurementFormatter", "PersonNameComponents", "ListFormatter",
    "Date.FormatStyle", ".formatted()", ".formatted(date:", ".formatted(.number",
    ".formatted(.percent", ".formatted(.currency", ".formatted(.byteCount", ".formatted(.list",
    ".formatted(.units", ".formatted(.relative", "Locale.current", "Locale.autoupdatingCurrent",
    "Locale(identifier", "NSRegularExpression", "enumerateSubstrings",
  ]

  private static func uses(of name: String, in source: HouseRulesTests.Source) -> [String] {
    source.lines.filter { $0.contains(name) && !$0.drop { $0 == " " }.hasPrefix("//") }
      .map { "\(source.path): \($0)" }
  }

  @Test(arguments: names)
  func `no source uses functions of Foundation whose data the program lacks`(_ name: String) throws
  {
    for source in try HouseRulesTests.sources(below: ["Sources"]) {
      #expect(Self.uses(of: name, in: source) == [])
    }
  }

  @Test func `uses of such functions in a source are found`() {
    let lines: [Substring] = [
      "let formatter = DateFormatter()", "let text = number.formatted(.number)",
      "  // DateFormatter", "date.formatted(.iso8601)",
    ]
    let source = HouseRulesTests.Source(path: "a", lines: lines)
    #expect(
      Self.names.flatMap { Self.uses(of: $0, in: source) } == ["a: \(lines[0])", "a: \(lines[1])"])
  }

  /// A name that ICU does not have would be left out without a message.
  @Test func `the list of items has the parts that results depend on, once each`() throws {
    let file = HouseRulesTests.root.appendingPathComponent("Helpers/UnicodeData/items.txt")
    let items = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    #expect(Set(items).count == items.count)
    for item in ["nfkc.nrm", "uts46.nrm", "zoneinfo64.res", "root.res", "en.res", "pool.res"] {
      #expect(items.contains(Substring(item)))
    }
  }
}
