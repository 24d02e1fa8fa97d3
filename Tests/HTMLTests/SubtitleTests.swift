import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Subtitles in SubRip and WebVTT.
@Suite struct SubtitleTests {
  private static func document(_ text: String, name: String) -> Document {
    Document(bytes: Array(text.utf8), mediaType: "text/plain", url: "https://a.test/\(name)")
  }

  private static func lines(_ document: Document) -> [String] {
    String(decoding: document.plainText, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `subtitles of SubRip are paragraphs without tags and numbers`() {
    let document = Self.document(
      """
      \u{FEFF}1\r
      00:00:01,000 --> 00:00:03,500 X1:40\r
      <i>Low water</i> at 3 < 4.\r
      - Yes, a <b and c> &amp; d <3\r
      \r
      2\r
      00:00:04,000 --> 00:00:05,000\r
      {\\an8}Go <font color="#ff0000">now</font>\r
      42\r
      3\r
      01:02:03,000 --> 01:02:04,000\r
      <i>End\r

      """, name: "a.srt")
    #expect(document.problems == [])
    #expect(
      Self.lines(document) == [
        "00:00:01 – 00:00:03", "Low water at 3 < 4.", "- Yes, a <b and c> & d <3",
        "00:00:04 – 00:00:05", "Go now", "42", "01:02:03 – 01:02:04", "End",
      ])
  }

  @Test func `subtitles of WebVTT have the names of speakers, and comments are left out`() {
    let document = Self.document(
      """
      WEBVTT - Tides
      Kind: captions

      NOTE A comment
      of two lines

      STYLE
      ::cue { color: red }

      intro
      00:01.000 --> 00:02.000 align:start position:0%
      <v.loud Ann Lee>Low <00:01.500><c.x>water</c></v>
      NOTE is a word

      01:00:00.000 --> 01:00:01.000
      7

      01:00:02.000 --> 01:00:03.000
      <u>End</u>
      """, name: "a.vtt")
    #expect(document.problems == [])
    #expect(
      Self.lines(document) == [
        "00:01 – 00:02", "Ann Lee: Low water", "NOTE is a word", "01:00:00 – 01:00:01", "7",
        "01:00:02 – 01:00:03", "End",
      ])
  }

  @Test func `a text without times is shown unchanged`() {
    #expect(Self.lines(Self.document("1\n<i>a\n", name: "a.srt")) == ["1", "<i>a"])
  }
}
