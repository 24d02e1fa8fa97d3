import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

struct BesideNameTests {
  private static let text =
    "<h1>A title</h1><p>The text that everybody came for has more words than all that stands beside it.</p>"

  @Test(
    arguments: [
      ("<div class='sr-only'><p>words for the ear</p></div>", PageKind.article),
      ("<p class='u-visually-hidden'>words for the ear</p>", .documentation),
      ("<div id='CookieNote'><p>may they be set</p></div>", .forum),
      ("<div class='box newsletter'><p>a letter a month</p></div>", .service),
      ("<div class='tooltip'><p>what this means</p></div>", .product),
      ("<p class='form-error'>this is no number</p>", .linkList),
      ("<form><p>a name, please</p></form>", .service),
      ("<footer><p>the end of each page</p></footer>", .product),
      ("<div class='page-footer'><p>the end of each page</p></div>", .productList),
      ("<div class='facets'><p>only the red ones</p></div>", .productList),
      ("<div class='sort-by'><p>the cheap ones first</p></div>", .product),
      ("<div id='sidebar'><p>another list</p></div>", .linkList),
      ("<aside><p>another list</p></aside>", .productList),
      ("<div class='announcement-bar'><p>the cheap days are here</p></div>", .service),
      ("<ol class='breadcrumbs'><li>here</ol>", .forum),
      ("<div class='signature'><p>below each post</p></div>", .forum),
      ("<div class='signature'><div><p>below each post</p></div></div>", .forum),
    ] as [(String, PageKind)])
  func `boilerplate is recognized by its name and left out`(_ part: String, _ kind: PageKind) {
    #expect(areKept(Self.text + part, kind) == [true, true, false], "\(part)")
  }

  @Test(
    arguments: [
      ("<form><p>a name, please</p></form>", PageKind.documentation),
      ("<div class='newsletter'><p>a letter a month</p></div>", .article),
      ("<p class='announcement'>of the government</p>", .article),
      ("<div class='facets'><p>of a diamond</p></div>", .service),
      ("<div class='signature'><p>of a function</p></div>", .documentation),
      ("<div class='signature'><p><time>yesterday</time> somebody</p></div>", .forum),
      ("<div class='left-sidebar-layout'><p>the list</p></div>", .linkList),
      ("<main><div class='footer'><p>a note to the text</p></div></main>", .product),
      ("<div class='post category-cookies'><p>with chocolate</p></div>", .service),
      ("<div class='product product_cat-filters'><p>for water</p></div>", .productList),
      ("<p class='sr-only md:not-sr-only'>words for both</p>", .article),
    ] as [(String, PageKind)])
  func `parts that suit the kind of page, hold the title or match no name are kept`(
    _ part: String, _ kind: PageKind
  ) {
    #expect(areKept(Self.text + part, kind) == [true, true, true], "\(part)")
  }

  @Test func `the footer of an item is not treated as a page footer`() {
    let items = (0..<6).map {
      "<div class='card'><h3>Thing \($0)</h3><p>What it is for.</p><div class='card-footer'><p>$\($0)</p></div></div>"
    }
    let keptFlags = areKept("<h1>Things</h1>" + items.joined(), .productList)
    #expect(keptFlags.count == 19 && keptFlags.allSatisfy(\.self))
  }

  @Test func `a boilerplate name is ignored on a part that holds the title or most of the page`() {
    #expect(areKept("<form>\(Self.text)</form><p>more</p>", .service) == [true, true, true])
    let long = "<div class='filter'><p>\(String(repeating: "word ", count: 40))</p></div>"
    #expect(areKept(Self.text + long, .productList) == [true, true, true])
    #expect(
      areKept("<div class='filter'><h1>All</h1></div><p>a b c</p>", .productList) == [true, true])
  }

  @Test func `a sidebar may be longer than a short list beside it`() {
    let page = "<h1>A</h1><ul><li>one two three</ul><aside><p>four five six seven eight</p></aside>"
    #expect(areKept(page, .linkList) == [true, true, false])
    #expect(areKept(page.replacing("aside", with: "form"), .linkList) == [true, true, true])
  }

  @Test func `boilerplate names still count inside a part whose own name is ignored`() {
    let inner = "<div class='error'><p>this is no number</p></div>"
    #expect(areKept("<form>\(Self.text)\(inner)</form>", .product) == [true, true, false])
  }

  @Test func `nested boilerplate names are each processed once`() {
    let open = String(repeating: "<div class='signature footer filter'>", count: 200)
    let page = Self.text + open + String(repeating: "<p>a b</p>", count: 200) + "<time>today"
    #expect(areKept(page, .forum).count == 203)
  }

  @Test func `the price of each product is kept if most of their names are`() {
    let thing = "<li class='thing'><h3>a wooden thing</h3><p>$12.50</p></li>"
    let page = PageBlocks(
      DOMParser.parse(Array("<p>before</p><ul>\(thing)\(thing)\(thing)</ul>".utf8)))
    let names = page.blocks.map { $0.headingLevel == 3 }
    #expect(page.withItemParts(names, of: .productList).count(where: \.self) == 6)
    #expect(page.withItemParts(names, of: .linkList) == names)
    let first = page.blocks.indices.map { $0 == 1 }
    #expect(page.withItemParts(first, of: .productList) == first)
  }

  @Test
  func `author and date are kept in lists of fewer than three posts if their classes name them`() {
    let line = "<div class='author'>Somebody</div><div class='date'>yesterday</div>"
    let text = "<p>words that somebody wrote yesterday, and more than eight of them</p>"
    for (name, isKept) in [("comment", true), ("box", false)] {
      let html = "<h1>A</h1><div class='\(name)'>\(line)\(text)</div><p>end</p>"
      let page = PageBlocks(DOMParser.parse(Array(html.utf8)))
      let keptFlags = page.blocks.map { $0.text.wordCount > 8 }
      let expected = [false, isKept, isKept, true, false]
      #expect(page.withItemParts(keptFlags, of: .forum) == expected, "\(name)")
    }
  }

  @Test func `a short post is kept with its author`() {
    let post = "<li class='post'><b class='author'>Somebody</b><p>yes</p></li>"
    let page = PageBlocks(
      DOMParser.parse(Array("<p>before</p><ul>\(post)\(post)\(post)</ul>".utf8)))
    let keptFlags = page.blocks.indices.map { $0 == 4 }
    #expect(page.withItemParts(keptFlags, of: .forum).count(where: \.self) == 2)
  }

  @Test func `a listing with the class hidden is not shown`() {
    let page = PageBlocks(
      DOMParser.parse(
        Array("<p>a<pre class='x hidden'>b</pre><pre class=overflow-hidden>c</pre>".utf8)))
    #expect(page.blocks.count == 2)
  }

  @Test func `a part with half of all words is not an item, whatever its siblings are`() {
    let post = "<div class='post'><p>Somebody</p><p>said some words</p></div>"
    let column = "<div class='column'><p>a</p><p>b</p></div>"
    let page = PageBlocks(
      DOMParser.parse(
        Array(
          "\(column)<div class='column'>\(post)\(post)\(post)</div>\(column)".utf8)))
    let units = page.blocks.map { page.containers[Int($0.containerIndex)].unitIndex.value }
    #expect(Set(units[2..<8]).count == 3 && !units[2..<8].contains(nil))
    #expect(units[0] == nil && units[8] == nil)
  }

  /// Whether each block of a page is kept.
  private func areKept(_ html: String, _ kind: PageKind) -> [Bool] {
    let tree = DOMParser.parse(Array(html.utf8))
    let page = PageBlocks(tree)
    return page.withoutElements(
      page.blocks.map { _ in true }, named: BoilerplateName.names(on: kind), in: tree)
  }
}
