import OfflineCache
import Pages
import Testing

@Suite struct DocumentAddressTests {
  /// An address, its fragment, itself without fragment, and the path of a local file.
  struct Row: Sendable {
    let address: DocumentAddress
    let fragment: String?
    let page: DocumentAddress
    let path: String?

    init(
      _ address: DocumentAddress, _ fragment: String? = nil, page: DocumentAddress? = nil,
      path: String? = nil
    ) {
      (self.address, self.fragment, self.page, self.path) = (
        address, fragment, page ?? address, path
      )
    }
  }

  @Test(arguments: [
    Row("https://a.test/p"), Row("https://a.test/p#b#c", "b#c", page: "https://a.test/p"),
    Row("about:manual#", "", page: "about:manual"),
    Row("file:///a%20b/c.zip#x", "x", page: "file:///a%20b/c.zip", path: "/a b/c.zip"),
    Row("FILE:/a", path: "/a"), Row("file://host/a"), Row("book://0/#x", "x", page: "book://0/"),
    Row("stdin:"), Row("no URL"), Row(""),
  ])
  func `the parts of an address are those of its text`(_ row: Row) {
    #expect(row.address.fragment.map(String.init) == row.fragment)
    #expect(row.address.withoutFragment == row.page)
    #expect(row.address.filePath == row.path)
    #expect(row.page.appending(fragment: row.fragment.map { "#" + $0 } ?? "") == row.address)
    #expect("\(row.address)" == row.address.text)
  }

  @Test func `an address has the parsed URL of any scheme`() {
    let address: DocumentAddress = "HTTPS://user:secret@A.test/%7e?q#f"
    #expect(address.isWebURL && address.hasScheme("https"))
    #expect(address.parsedURL.map { DocumentAddress($0) } == "https://user:secret@a.test/%7e?q#f")
    #expect(address.withoutCredentials == "HTTPS://A.test/%7e?q#f")
    let file: DocumentAddress = "file:///a"
    #expect(!file.isWebURL && file.parsedURL?.scheme == "file")
    let text: DocumentAddress = "no URL"
    #expect(text.parsedURL == nil && text.withoutCredentials == text)
  }
}
