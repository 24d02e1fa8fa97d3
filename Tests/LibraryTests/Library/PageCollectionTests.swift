import Foundation
import OfflineCache
import Synchronization
import Testing

@testable import Library

/// Collections in the journals of several devices.
@Suite struct PageCollectionTests {
  let files: LibraryDirectory
  let start = "https://m.test/"
  let pages = ["https://m.test/", "https://m.test/1", "https://m.test/2", "https://m.test/3"]

  init() throws { files = try LibraryDirectory() }

  private var id: String { PageCollection.id(ofStart: start) }

  private func pass() { files.seconds.withLock { $0 += 60 } }

  /// Records a save of pages by a device.
  private func save(_ pages: [String], name: String = "Manual", by library: PageLibrary) throws {
    let record = PageCollection.Record(
      name: name, start: [start], isPinned: true, saved: library.now)
    try library.record([
      LibraryChange(PageCollection.key(of: id), .collection, record.text),
      LibraryChange(
        PageCollection.key(of: id), .order, PageCollection.Order(of: pages).text),
    ])
    for (number, page) in pages.enumerated() {
      try library.record(
        library.page(page).membership.adding(
          page, to: id, number: number, by: library.device, at: library.now))
    }
    pass()
  }

  private func remove(_ page: String, by library: PageLibrary) throws {
    try library.record(library.page(page).membership.removing(page, from: id))
    pass()
  }

  private func names(_ library: PageLibrary) throws -> [String] {
    try #require(try library.collection(id)).pages.map { String($0.dropFirst(15)) }
  }

  @Test func `the order of the newer save applies, and other pages follow it`() throws {
    let (one, two) = (files.open(device: "one"), files.open(device: "two"))
    try save([pages[0], pages[1], pages[3]], by: one)
    try save([pages[0], pages[2], pages[1]], name: "Renamed", by: two)
    for library in [one, two] {
      try library.catchUp()
      #expect(try names(library) == ["", "2", "1", "3"])
      #expect(try library.collections().map(\.name) == ["Renamed"])
    }
  }

  @Test func `a page that one device adds while another removes it stays`() throws {
    let directory = files.directory.appendingPathComponent("elsewhere")
    let one = files.open(device: "one")
    let two = files.open(device: "two", journals: directory)
    try save(pages, by: one)
    try save(pages, by: two)
    try remove(pages[1], by: two)
    #expect(try names(two) == ["", "2", "3"])
    for (from, to) in [(files.journals, directory), (directory, files.journals)] {
      let name = from == directory ? "two.journal" : "one.journal"
      try FileManager.default.copyItem(
        at: from.appendingPathComponent(name), to: to.appendingPathComponent(name))
    }
    for library in [one, two] {
      try library.catchUp()
      #expect(try names(library) == ["", "1", "2", "3"])
    }
    // A removal that knows all additions covers them, and a later save adds the page again.
    try remove(pages[1], by: one)
    #expect(try names(one) == ["", "2", "3"])
    try save(pages, by: one)
    #expect(try names(one) == ["", "1", "2", "3"])
  }

  @Test func `a removed collection stays removed unless it is saved later`() throws {
    let (one, two) = (files.open(device: "one"), files.open(device: "two"))
    try save(pages, by: one)
    try two.catchUp()
    var record = try #require(try two.collection(id)).record
    record.removed = two.now
    try two.record([LibraryChange(PageCollection.key(of: id), .collection, record.text)])
    pass()
    try one.catchUp()
    #expect(try one.collections().isEmpty)
    #expect(try one.collections(isRemoved: true).map(\.id) == [id])
    #expect(!one.isEvictionExempt(pages[1]))
    try save(pages, by: one)
    try two.catchUp()
    #expect(try two.collections().map(\.id) == [id])
    #expect(two.isEvictionExempt(pages[1]))
  }

  @Test func `pages of a collection are exempt from eviction while it is pinned`() throws {
    let library = files.open()
    try save(pages, by: library)
    #expect(
      pages.allSatisfy { library.isEvictionExempt($0) }
        && !library.isEvictionExempt("https://m.test/4"))
    var record = try #require(try library.collection(id)).record
    record.isPinned = false
    try library.record([LibraryChange(PageCollection.key(of: id), .collection, record.text)])
    #expect(!library.isEvictionExempt(pages[1]))
  }

  @Test func `a record names the start pages whose save is not finished`() {
    var record = PageCollection.Record(name: "N", start: [], isPinned: true, saved: 1)
    record.begin(adding: ["a"], where: { _ in false }, at: 1)
    #expect(record.unfinished == 1 && record.unfinishedStart == ["a"] && record.start == ["a"])
    record.finish { $0 == "a" }
    #expect(record.unfinished == nil && record.unfinishedStart == nil)
    // A save of another start page does not need the first one, unless that is unfinished too.
    record.begin(adding: ["b"], where: { $0 == "b" }, at: 2)
    #expect(record.start == ["a", "b"] && record.unfinishedStart == ["b"])
    record.begin(adding: ["c"], where: { $0 == "c" }, at: 3)
    #expect(record.unfinishedStart == ["b", "c"])
    record.finish { $0 == "c" }
    #expect(record.unfinished == 3 && record.unfinishedStart == ["b"])
    #expect(PageCollection.Record(text: record.text) == record)
    record.begin(adding: [], where: { $0 == "b" }, at: 4)
    record.finish { $0 == "b" }
    #expect(record.unfinished == nil)
    // An older version has recorded no start pages.
    record.unfinished = 5
    record.finish { $0 == "a" }
    #expect(record.unfinishedStart == ["b", "c"])
    record.finish { $0 != "a" }
    #expect(record.unfinished == nil)
  }

  @Test func `a redirect is pinned but is not a page of the collection`() throws {
    let library = files.open()
    try save(pages, by: library)
    let redirect = "https://m.test/old"
    try library.record(
      library.page(redirect).membership.adding(
        redirect, to: id, number: nil, by: library.device, at: library.now))
    #expect(try names(library).count == 4 && library.redirects(to: id) == [redirect])
    #expect(library.isEvictionExempt(redirect))
    // A later crawl that finds it as a page lists it.
    try save(pages + [redirect], by: library)
    #expect(try names(library).last == "old")
  }

  @Test(arguments: ["\(Int64.max)", "\(Int64.max - 1)", "-1", "\(Int64.min)", "x"])
  func `an extreme time in a journal leaves a page that can be added again`(_ date: String) {
    var membership = CollectionMembership()
    membership.add("\(date) 0", to: id, by: "one")
    membership.remove(date, from: id, by: "one")
    let added = membership.adding(pages[1], to: id, number: 0, by: "one", at: 1)
    #expect(added.count == 1)
    if case .member = added.first?.attribute {
      membership.add(added[0].value ?? "", to: id, by: "one")
    }
    #expect(membership.addition(to: id) != nil)
  }

  @Test func `a tag of a collection applies to its pages`() throws {
    let library = files.open()
    try save(pages, by: library)
    try library.record([
      LibraryChange(PageCollection.key(of: id), .tag("trip"), "1"),
      LibraryChange(pages[2], .tag("trip"), "1"),
      LibraryChange("https://o.test/", .tag("trip"), "1"),
    ])
    let tagged = try library.pages(taggedWith: "trip").map(\.key)
    #expect(Set(tagged) == Set(pages + ["https://o.test/"]) && tagged.count == 5)
    #expect(try library.page(pages[1]).tags.isEmpty)
  }

  @Test func `the reading order follows the declared next documents`() {
    let order = PageCollection.readingOrder(
      ["start", "a", "b", "c", "d"], next: ["start": "c", "c": "a", "a": "elsewhere", "b": "a"])
    #expect(order == ["start", "c", "a", "b", "d"])
    // A series begins with its first document, wherever the crawl entered it.
    let found = ["start", "c", "b", "d"]
    let series = PageCollection.readingOrder(found, next: ["b": "c", "c": "d"])
    #expect(series == ["start", "b", "c", "d"])
    let circle = PageCollection.readingOrder(found, next: ["b": "c", "c": "d", "d": "b"])
    #expect(circle == ["start", "c", "d", "b"])
    #expect(PageCollection.readingOrder(["a", "b"], next: ["a": "b", "b": "a"]) == ["a", "b"])
    #expect(PageCollection.readingOrder([], next: [:]).isEmpty)
  }

  @Test(arguments: [
    "in:", "in:0123456789abcdef", "in:0123456789abcdef:", "in:0123456789abcdeX:m",
    "out:0123456789abcdef:", "in:0123:m",
  ])
  func `text in another form is not an attribute`(_ text: String) {
    #expect(LibraryAttribute(text: text) == nil)
  }

  @Test func `attributes are read back from their text`() {
    let (id, device) = ("0123456789abcdef", "my-laptop:1")
    for attribute in [
      LibraryAttribute.member(of: id, device: device), .formerMember(of: id, device: device),
      .collection, .order,
    ] {
      #expect(LibraryAttribute(text: attribute.text) == attribute)
    }
  }
}
