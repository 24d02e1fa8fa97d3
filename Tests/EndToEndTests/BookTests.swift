import Foundation
import TestSupport
import Testing

/// Books as other programs make them.
@Suite struct BookTests {
  private static let text = """
    ---
    title: The Harbour Book
    author: [Ann Author, Bo Writer]
    ---

    # One: the tide

    The tide comes in.[^1] See [the second chapter](#two-the-birds).

    ![A bird](bird.png)

    ## Section A

    | Time  | Height |
    |-------|-------:|
    | 02:14 | 1.2    |

    [^1]: Twice a day.

    # Two: the birds

    Gulls. Back to [the section](#section-a).
    """

  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test(arguments: ["epub2", "epub3"])
  func `a book of pandoc has contents, cover, footnotes and pictures`(_ format: String) throws {
    guard Effort.isWhole else { return }
    let source = try sandbox.file("book.md", Self.text)
    let folder = sandbox.folder.path
    try Self.picture.write(to: sandbox.folder.appendingPathComponent("bird.png"))
    let book = folder + "/book.epub"
    let made = try Program.run(
      "pandoc",
      [
        source, "-t", format, "-o", book, "--resource-path", folder, "--toc",
        "--epub-cover-image", folder + "/bird.png",
      ])
    try #require(made.status == 0, "\(made.errorText)")
    let all = try sandbox.offread("dump", book)
    #expect(all.status == 0, "\(all.errorText)")
    for words in ["Ann Author, Bo Writer", "The tide comes in.", "Twice a day.", "02:14", "Gulls."]
    {
      #expect(all.text.contains(words), "\(words)")
    }
    let links = try sandbox.offread("dump", "--format", "links", book).text
    let chapters = Set(
      links.split(separator: "\n").map { $0.prefix { $0 != "#" } }
        .filter { $0.contains("/ch00") }
    ).sorted()
    #expect(chapters.count == 2)
    let first = try sandbox.offread("dump", "--format", "links", String(chapters[0])).text
    #expect(first.contains("\(chapters[1])#two-the-birds"))
    #expect(first.contains("#fn1") && first.contains("#fnref1"))
    let outline = try sandbox.offread("dump", "--format", "outline", String(chapters[0])).text
    #expect(outline.contains("One: the tide") && outline.contains("Section A"))
    let screen = try sandbox.reader(book)
    _ = try screen.wait(for: "Begin to read")
    try screen.press("t")
    let parts = try screen.wait(for: "Two: the birds")
    #expect(parts.contains { $0.contains("Cover") })
  }

  /// A picture of one dot.
  private static let picture =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ) ?? Data()
}
