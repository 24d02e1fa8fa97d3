#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Generates deterministic pages from seeds: text with the letter and word frequencies of prose, in
/// the markup of an article.
struct GeneratedText {
  private var state: UInt64
  private static let vocabulary = makeVocabulary()
  private static let language = makeLanguage()
  /// Whether word frequencies follow Zipf's law, as in natural languages, with 30,000 words.
  private let isNatural: Bool

  /// Creates a generator with a seed.
  init(seed: UInt64, isNatural: Bool = false) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    self.isNatural = isNatural
  }

  /// Returns an article of about `size` bytes, optionally with tables and code.
  static func page(_ number: Int, size: Int, hasTables: Bool = false) -> [UInt8] {
    var text = GeneratedText(seed: UInt64(number) + 1)
    var page: [UInt8] = []
    page.reserveCapacity(size + 1024)
    page +=
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Page \(number)</title>
      <link rel="stylesheet" href="/style.css"></head>
      <body class="article"><header><nav><a href="/">Home</a> <a href="/all">All</a></nav></header>
      <main><article id="article-\(number)"><h1>Page \(number)</h1>

      """.utf8
    while page.count < size - 200 {
      if hasTables, text.next() % 8 == 0 {
        text.addTableOrCode(to: &page)
      } else {
        text.addBlock(to: &page)
      }
    }
    page += "</article></main><footer><p>Page \(number)</p></footer></body></html>\n".utf8
    return page
  }

  /// Returns a page for a library: an article of about `size` bytes with words in its title, unique
  /// names, and in every twentieth page text in a script without spaces.
  static func libraryPage(_ number: Int, size: Int) -> [UInt8] {
    var text = GeneratedText(seed: UInt64(number) &+ 77_000_000, isNatural: true)
    var title: [UInt8] = []
    text.addWords(4, to: &title)
    title += " \(name(number))".utf8
    var page = Array("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>".utf8)
    page += title
    page += "</title></head><body><header><nav><a href=\"/\">Home</a></nav></header><main><h1>".utf8
    page += title + "</h1>\n".utf8
    while page.count < size - 200 {
      text.addBlock(to: &page)
      page +=
        "<p>\(name(number)) \(text.next() % 100_000) \(name(Int(text.next() % 300_000))) ".utf8
      if number % 20 == 0 { text.addHan(60, to: &page) }
      page += "</p>\n".utf8
    }
    return page + "</main></body></html>\n".utf8
  }

  /// Returns a word that is unique to a number.
  static func name(_ number: Int) -> String {
    let syllables = ["ba", "do", "ku", "mi", "re", "so", "ta", "vu", "xe", "zi"]
    return String(number).utf8.map { syllables[Int($0 - 48)] }.joined()
  }

  /// Returns words with the same distribution as in the pages, for queries.
  mutating func words(_ count: Int) -> String {
    var bytes: [UInt8] = []
    addWords(count, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns consecutive Han characters.
  mutating func han(_ count: Int) -> String {
    var bytes: [UInt8] = []
    addHan(count, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func addHan(_ count: Int, to page: inout [UInt8]) {
    for _ in 0..<count {
      let code = 0x4E00 + UInt32(chance() * chance() * 3000)
      if let scalar = Unicode.Scalar(code) { page += String(Character(scalar)).utf8 }
    }
  }

  /// Returns a number from 0 up to, but not including, a limit.
  mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns incompressible bytes.
  static func noise(_ count: Int) -> [UInt8] {
    var text = GeneratedText(seed: 7)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: text.next().littleEndian) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Returns a page that consists of a table of numbers and words.
  static func table(rows: Int, columns: Int) -> [UInt8] {
    var text = GeneratedText(seed: 11)
    var page = Array("<!DOCTYPE html><title>Table</title><table>\n".utf8)
    for row in 0...rows {
      page += "<tr>".utf8
      for column in 0..<columns {
        page += (row == 0 ? "<th>" : "<td>").utf8
        if row > 0, column % 3 == 0 {
          page += "\(text.next() % 1000)".utf8
        } else {
          text.addWords(1, to: &page)
        }
      }
      page += "\n".utf8
    }
    return page + "</table>\n".utf8
  }

  private mutating func addTableOrCode(to page: inout [UInt8]) {
    if next() % 3 == 0 {
      page += "<pre><code class=\"language-c\">int main(void) {\n  return ".utf8
      page += "\(next() % 10);\n}\n</code></pre>\n<blockquote>".utf8
      addWords(12, to: &page)
      page += "</blockquote>\n".utf8
      return
    }
    page += "<table class=\"figures\"><tr><th>A</th><th>B</th><th>C</th></tr>\n".utf8
    for _ in 0..<6 {
      page += "<tr><td>".utf8
      addWords(1, to: &page)
      page += "</td><td>\(next() % 1_000_000)</td><td>".utf8
      addWords(4, to: &page)
      page += "</td></tr>\n".utf8
    }
    page += "</table>\n".utf8
  }

  private mutating func addBlock(to page: inout [UInt8]) {
    switch next() % 12 {
    case 0:
      page += "<h2 id=\"s\(next() % 100_000)\">".utf8
      addWords(3 + Int(next() % 5), to: &page)
      page += "</h2>\n".utf8
    case 1:
      page += "<ul class=\"list\">\n".utf8
      for _ in 0..<4 {
        page += "<li>".utf8
        addWords(5 + Int(next() % 8), to: &page)
        page += "</li>\n".utf8
      }
      page += "</ul>\n".utf8
    default:
      page += "<p>".utf8
      for _ in 0..<3 + next() % 5 {
        addWords(6 + Int(next() % 14), to: &page)
        if next() % 4 == 0 {
          page += " <a class=\"link\" href=\"/articles/\(next() % 90_000)\">".utf8
          addWords(2, to: &page)
          page += "</a>".utf8
        }
        page += ". ".utf8
      }
      page += "</p>\n".utf8
    }
  }

  private mutating func addWords(_ count: Int, to page: inout [UInt8]) {
    let words = isNatural ? Self.language : Self.vocabulary
    for index in 0..<count {
      if index > 0 { page.append(0x20) }
      if isNatural {
        page += words[Int(exp(chance() * log(Double(words.count)))) - 1]
        continue
      }
      // The product of three uniform random numbers makes few words frequent, as in a natural
      // language.
      let chance = chance() * chance() * chance()
      page += words[Int(chance * Double(words.count))]
    }
  }

  private static func makeVocabulary() -> [[UInt8]] {
    var text = GeneratedText(seed: 1234)
    return (0..<6000).map { rank in text.word(syllables: 1 + rank / 1500 + Int(text.next() % 3)) }
  }

  private static func makeLanguage() -> [[UInt8]] {
    var text = GeneratedText(seed: 4321)
    // Frequent words are short.
    return (1...30_000).map { rank in
      text.word(syllables: (rank < 50 ? 1 : rank < 1000 ? 2 : 3) + Int(text.next() % 2))
    }
  }

  private mutating func word(syllables: Int) -> [UInt8] {
    let vowels = Array("aeiouea".utf8)
    let consonants = Array("tnshrdlcmwfgypbvk".utf8)
    return (0..<syllables).flatMap { _ in
      [
        consonants[Int(next() % UInt64(consonants.count))],
        vowels[Int(next() % UInt64(vowels.count))],
      ] + (next() % 3 == 0 ? [consonants[Int(next() % 17)]] : [])
    }
  }

  /// Returns a uniform random number from 0 up to, but not including, 1.
  private mutating func chance() -> Double {
    Double(next() & 0xFFFF_FFFF) / 4_294_967_296
  }

  /// Returns the next number of xorshift64*.
  private mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return (state &* 0x2545_F491_4F6C_DD1D) >> 16
  }
}
