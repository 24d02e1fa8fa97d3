import ArgumentParser
import Configuration
import Document
import Foundation
import Library
import OfflineCache
import Pages
import Profiles
import Saving

/// The removal of whole collections by `offread remove`. The pages are hidden and removed some days
/// later, as with `--later`, so the removal can be undone.
struct CollectionRemoval {
  let profile: Profile
  let isConfirmed: Bool
  let isQuiet: Bool

  /// Hides collections and their pages after the user has confirmed that; in a dry run, only
  /// reports the numbers of pages.
  /// - Throws: an exit code if the user does not confirm the removal; `ArchiveError`.
  func remove(_ collections: [PageCollection], isDryRun: Bool) throws {
    let removal = PageRemoval(from: profile)
    let plans = try collections.map { try removal.plan(for: $0) }
    if isDryRun {
      for plan in plans { try write("would remove \(Self.planText(plan))") }
      return
    }
    if !isConfirmed { try requestConfirmation(plans) }
    let isUsual = profile.settings.sync.undoTime == SyncSettings().undoTime
    let time = isUsual ? "a week" : "the undo_time of the settings"
    for plan in plans {
      try removal.hide(plan)
      let name = SafeText.line(plan.collection.name)
      try write(
        "removed \(Self.planText(plan))\n"
          + "  a sync deletes them after \(time); to restore them:"
          + " offread remove --undo --collection \(Opener.quoted(name))")
    }
  }

  /// Shows hidden collections and their pages again.
  func restore(_ collections: [PageCollection]) throws {
    for collection in collections {
      let count = try PageRemoval(from: profile).restore(collection)
      try write(
        "restored the collection \(SafeText.line(collection.name)) with"
          + " \(CountFormatter.countText(count, "page"))")
    }
  }

  /// Returns a text with the name of a collection and the numbers of its pages that are removed and
  /// that stay.
  private static func planText(_ plan: PageRemoval.CollectionPlan) -> String {
    let spared =
      plan.remainingPages.isEmpty
      ? ""
      : "; \(CountFormatter.countText(plan.remainingPages.count, "page")) \(plan.remainingPages.count == 1 ? "stays" : "stay")"
        + " (kept, tagged, highlighted, or in another collection)"
    return "the collection \(SafeText.line(plan.collection.name)) with"
      + " \(CountFormatter.countText(plan.pages.count, "page"))\(spared)"
  }

  /// Asks the user on the terminal to confirm a removal. Throws an exit code if the user declines,
  /// or if there is no terminal.
  private func requestConfirmation(_ plans: [PageRemoval.CollectionPlan]) throws {
    let text = plans.map(Self.planText).joined(separator: "\n  and ")
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      StandardOutput.printError(
        "--yes is required without a terminal; it would remove \(text)")
      throw ExitCode(2)
    }
    try StandardOutput.write(Array("Remove \(text)? [y/N] ".utf8), to: STDERR_FILENO)
    let response = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard ["y", "yes"].contains(response) else {
      StandardOutput.printError("nothing was removed")
      throw ExitCode(1)
    }
  }

  private func write(_ text: String) throws {
    if !isQuiet { try StandardOutput.write(Array((text + "\n").utf8)) }
  }
}
