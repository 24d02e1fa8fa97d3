import Saving
import ArgumentParser
import OfflineCache
import Reader

/// The arguments that select pages: URLs, a list of URLs, tags.
struct PageSelection: ParsableArguments {
  @Argument(help: "http or https URLs; - reads them from standard input, one per line.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp(
      "Choose the URLs in a file, one per line; - is standard input.", valueName: "file"))
  var list: String?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: "Choose the pages that have this tag, or one of several.")
  var tags: [String] = []

  func validate() throws {
    if list != nil, urls.contains("-") { throw ValidationError("give - or --from, not both") }
  }

  /// Whether no page is selected.
  var isEmpty: Bool { !namesPages && tags.isEmpty }

  /// Whether pages are named, on the command line or in a list.
  var namesPages: Bool { !urls.isEmpty || list != nil }

  /// The files that a command with these arguments reads.
  var needs: ProfileArguments.Needs {
    ProfileArguments.Needs(reads: [list].compactMap(\.self))
  }

  /// The message if no page is selected.
  static let words = "give URLs, --from FILE or --tag TAG"

  /// The selected pages.
  struct Pages {
    /// The URLs, each page once.
    var urls: [String]
    /// Whether every line of the list named a page; the others were reported.
    var isWhole: Bool
  }

  /// Looks up the selected pages.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - isRemoved: whether tags select among hidden pages, which wait to be removed.
  ///   - usesTags: whether tags select pages.
  ///   - takesBooks: whether imported books count as pages.
  /// - Returns: the pages.
  /// - Throws: an exit code, after the error was reported; no page is selected then.
  func pages(
    in profile: Profile, isRemoved: Bool = false, usesTags: Bool = true,
    takesBooks: Bool = false
  ) throws -> Pages {
    let (named, isWhole) = try PageList.named(
      urls.filter { $0 != "-" }, from: list ?? (urls.contains("-") ? "-" : nil),
      takesBooks: takesBooks)
    let tags = usesTags ? tags : []
    do {
      let choice = try ProfileArguments.telling {
        try PageChoice(
          named: named.map(profile.url(of:)), tags: tags, in: profile, isRemoved: isRemoved)
      }
      let pages = choice.urls.filter { takesBooks || BookAddress($0) == nil }
      return Pages(urls: pages, isWhole: isWhole)
    } catch let problem as PageChoice.Problem {
      StandardOutput.complain(problem.description)
      throw ExitCode(1)
    }
  }
}
