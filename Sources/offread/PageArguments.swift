import Reader
import Configuration
import ArgumentParser
import Layout

/// The options for the presentation of a page.
struct PageArguments: ParsableArguments {
  @Option(
    name: .named(PageOption.width), parsing: .unconditional,
    help: ArgumentHelp("Width of the text, 20 to 500 columns.", valueName: "n"))
  var width: Int?

  @Option(
    name: .named(PageOption.base),
    help: ArgumentHelp("Base URL for the links of a file or of standard input.", valueName: "url"),
    transform: NonemptyArgument.parse)
  var base: String?

  @Option(
    name: .named(PageOption.color),
    help: ArgumentHelp("Use of colours: auto, always or never.", valueName: "when"))
  var color: Settings.ColorChoice?

  @Option(
    name: .named(PageOption.format),
    help:
      "Output format of dump, or without a terminal: text, ansi, markdown, html, json, links or outline."
  )
  var format: DumpFormat?

  @Option(
    name: .named(PageOption.links), help: "Links in the output of dump: none, numbers or inline.")
  var links: LayoutOptions.LinkNumbers = .none

  @Option(name: .named(PageOption.images), help: "How to draw images: off, symbols or auto.")
  var images: Settings.ImageChoice?

  @Flag(name: .named(PageOption.reader), help: "Show only the main content (reader view).")
  var reader = false

  @Flag(
    name: .named(PageOption.full),
    help: "Show the whole page, even if the settings choose reader view.")
  var full = false

  @Flag(
    name: .named(PageOption.meta),
    help: "Like --reader, with author, date, site and reading time below the title.")
  var meta = false

  @Flag(
    name: .named(PageOption.explain),
    help: "Like --reader, and print to standard error how the content was chosen.")
  var explain = false

  @Flag(
    name: .named(PageOption.comments),
    help: "Like --reader, with the comments of readers below the text.")
  var keepsComments = false

  @Flag(
    name: .named(PageOption.linear), help: "Format pages for braille displays and screen readers.")
  var linear = false

  @Flag(
    name: .named(PageOption.failStale),
    help: "Exit with 3 if a saved copy was shown that is not fresh.")
  var failsOnStale = false

  func validate() throws { try choices.validate() }

  /// The values of the options.
  var choices: PageChoices {
    PageChoices(
      width: width, base: base, color: color, chosenFormat: format, links: links, images: images,
      reader: reader, full: full, meta: meta, explain: explain, keepsComments: keepsComments,
      linear: linear, failsOnStale: failsOnStale)
  }
}

extension Settings.ColorChoice: ExpressibleByArgument {}
extension Settings.ImageChoice: ExpressibleByArgument {}
extension LayoutOptions.LinkNumbers: ExpressibleByArgument {}
