import Saving
import ArgumentParser
import OfflineCache
import Reader

/// The arguments that choose pages: URLs, a list of them, tags.
struct PageSelection: ParsableArguments {
  @Argument(help: "http or https URLs; - takes them from standard input, one a line.")
  var urls: [String] = []

  @Option(
    name: .customLong("from"), parsing: .unconditional,
    help: ArgumentHelp("The URLs in a file, one a line; - is standard input.", valueName: "file"))
  var list: String?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: "The pages that have this tag, or one of several.")
  var tags: [String] = []

  func validate() throws {
    if list != nil, urls.contains("-") { throw ValidationError("give - or --from, not both") }
  }

  /// Whether nothing was chosen.
  var isEmpty: Bool { !namesPages && tags.isEmpty }

  /// Whether pages are named, by themselves or in a list.
  var namesPages: Bool { !urls.isEmpty || list != nil }

  /// What a command needs that takes these arguments.
  var needs: ProfileArguments.Needs {
    ProfileArguments.Needs(reads: [list].compactMap(\.self))
  }

  /// What is said to who has chosen nothing.
  static let words = "give URLs, --from with a file of them, or --tag"

  /// The pages that were chosen.
  struct Pages {
    /// Their URLs, each page once.
    var urls: [String]
    /// Whether every line of the list named a page; those that did not were told.
    var isWhole: Bool
  }

  /// Looks the chosen pages up.
  /// - Parameters:
  ///   - profile: whose library it is.
  ///   - isRemoved: whether tags mean the pages that wait to be removed.
  ///   - usesTags: whether tags choose pages.
  ///   - takesBooks: whether books that were imported are pages.
  /// - Returns: the pages.
  /// - Throws: an exit code, after telling what is wrong: then nothing at all is chosen.
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
