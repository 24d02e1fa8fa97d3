import Document
import Saving
import ArgumentParser
import Library
import OfflineCache
import Pages
import Profiles

/// The arguments that select pages: URLs, a list of URLs, collections, tags.
struct PageSelection: ParsableArguments {
  @Argument(help: "http or https URLs; - reads them from standard input, one per line.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp(
      "Choose the URLs in a file, one per line; - is standard input.", valueName: "file"),
    transform: NonemptyArgument.parse)
  var list: String?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: "Choose the pages with this tag; if repeated, with any of the tags.")
  var tags: [String] = []

  @Option(
    name: .customLong("collection"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Choose the pages of a collection, by its name or the URL of a start page.",
      valueName: "collection"))
  var collections: [String] = []

  func validate() throws {
    if list != nil, urls.contains("-") { throw ValidationError("give - or --from, not both") }
  }

  /// Whether no page is selected.
  var isEmpty: Bool { !namesPages && tags.isEmpty && collections.isEmpty }

  /// Whether pages are selected in other ways than with a collection.
  var hasOthers: Bool { namesPages || !tags.isEmpty }

  /// Whether pages are named, on the command line or in a list.
  var namesPages: Bool { !urls.isEmpty || list != nil }

  /// The files that a command with these arguments reads.
  var needs: ProfileArguments.Needs {
    ProfileArguments.Needs(inputFiles: [list].compactMap(\.self))
  }

  /// The message if no page is selected.
  static let emptyMessage = "give URLs, --from FILE, --collection NAME or --tag TAG"

  /// The selected pages.
  struct Pages {
    /// The URLs, each page once.
    var urls: [String]
    /// Whether every line of the list named a page; the others were reported.
    var isListComplete: Bool
  }

  /// Looks up the selected pages.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - isRemoved: whether tags select among hidden pages, which wait to be removed.
  ///   - usesTags: whether tags select pages.
  ///   - allowsBooks: whether imported books count as pages.
  /// - Returns: the pages.
  /// - Throws: an exit code, after the error was reported; no page is selected then.
  func pages(
    in profile: Profile, isRemoved: Bool = false, usesTags: Bool = true,
    allowsBooks: Bool = false
  ) throws -> Pages {
    let (named, isWhole) = try PageListParser.pagesWithCompleteness(
      urls.filter { $0 != "-" }, from: list ?? (urls.contains("-") ? "-" : nil),
      allowsBooks: allowsBooks, allowsItems: true)
    let tags = usesTags ? tags : []
    let collected = try ProfileArguments.reportingErrors {
      try selectedCollections(in: profile, isRemoved: isRemoved).flatMap {
        try profile.library.pages($0.pages).filter { isRemoved || $0.removed == nil }.map(\.url)
      }
    }
    do {
      let choice = try ProfileArguments.reportingErrors {
        try PageChoice(
          named: named.map(profile.url(of:)) + collected, tags: tags, in: profile,
          isRemoved: isRemoved)
      }
      let pages = choice.urls.filter { allowsBooks || BookAddress($0) == nil }
      return Pages(urls: pages, isListComplete: isWhole)
    } catch let problem as PageChoice.Problem {
      StandardOutput.printError(problem.description)
      throw ExitCode(1)
    }
  }

  /// Looks up the selected collections.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - isRemoved: whether to look among the hidden collections, which wait to be removed.
  /// - Returns: the collections.
  /// - Throws: an exit code, after the error was reported, or `ArchiveError`.
  func selectedCollections(in profile: Profile, isRemoved: Bool = false) throws -> [PageCollection]
  {
    try collections.map { try Self.collection(named: $0, in: profile, isRemoved: isRemoved) }
  }

  /// Records the collections of saves that were made before there were collections.
  static func adoptEarlierCrawls(in profile: Profile) {
    do throws(ArchiveError) {
      try EarlierCrawls.adopt(in: profile, isStopped: { Interruption.isInterrupted })
    } catch {
      StandardOutput.printError(error.message(for: EarlierCrawls.failureMessage))
    }
  }

  /// Returns the collection that has a name, or a start page with a URL, among the hidden
  /// collections if `isRemoved` is true. First records the collections of saves that were made
  /// before there were collections.
  /// - Throws: an exit code if there is no such collection, or more than one, after that was
  ///   reported.
  static func collection(
    named name: String, in profile: Profile, isRemoved: Bool = false
  ) throws -> PageCollection {
    adoptEarlierCrawls(in: profile)
    let found = try profile.library.collections(named: name, isRemoved: isRemoved)
    guard let first = found.first else {
      let text = SafeText.line(name)
      StandardOutput.printError(
        isRemoved
          ? "no removed collection is named '\(text)'"
          : "no collection is named '\(text)'; offread list --collections lists them")
      throw ExitCode(1)
    }
    guard found.count == 1 else {
      let urls = found.compactMap(\.record.start.first)
        .map { "\n  " + SafeText.line(SafeText.withoutCredentials($0)) }.joined()
      StandardOutput.printError(
        "\(found.count) collections are named \(SafeText.line(name)); give the URL of a start page:"
          + urls)
      throw ExitCode(1)
    }
    return first
  }
}
