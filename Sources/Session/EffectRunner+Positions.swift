import Configuration
import Document
import Foundation
import Library
import OfflineCache
import Pages
import Profiles
import Rendering
import Saving
import TerminalUI

/// Runs effects that store reading positions, open tabs and choices, and provides access to the
/// settings file.
extension EffectRunner {
  /// Records the reading position of a page, unless the session is private.
  func recordPosition(_ record: ReadingLog.Record) {
    guard !profile.isPrivate else { return }
    write(orReport: "reading positions cannot be saved") { [self] () throws(ArchiveError) in
      var record = record
      record.book?.key = profile.contentKey(of: DocumentAddress(record.url))
      try profile.readingLog.append(record)
    }
  }

  /// Runs a write on the lane `positions`, and reports an error with `failure` as the beginning of
  /// the message.
  private func write(
    orReport failure: String, _ work: @escaping @Sendable () throws(ArchiveError) -> Void
  ) {
    lanes.run(.positions) { [self] in
      do throws(ArchiveError) { try work() } catch { report(error.message(for: failure)) }
    }
  }

  /// Stores the list of open tabs; nil removes the stored list.
  func saveTabs(_ openTabs: SavedTabs?) {
    write(orReport: "open pages cannot be saved") { [self] () throws(ArchiveError) in
      try tabs.write(openTabs)
    }
  }

  /// Posts the open tabs that crashed processes left behind, and removes them from the disk.
  func postLostTabs() {
    lanes.run(.positions) { [self] in
      let (lost, damagedCount) = tabs.recoverLost()
      if !lost.isEmpty { post(.lostTabs(lost)) }
      if damagedCount > 0 {
        let sessions = damagedCount == 1 ? "an earlier session" : "\(damagedCount) earlier sessions"
        post(
          .notice(
            "the open pages of \(sessions) cannot be restored: the record cannot be read; it is"
              + " kept in a file that ends in .damaged",
            isError: true))
      }
    }
  }

  /// The URL of the settings file.
  var settingsFile: URL { profile.locations.config }

  /// Reads the settings file again. Settings without errors replace the last good ones, which are
  /// used while the file cannot be read.
  func readSettings() -> SettingsFile.Reading {
    let file = settingsFile
    do throws(ReaderError) {
      let bytes = try LocalFile.read(file.path)
      let reading = SettingsFile.parse(
        String(decoding: bytes, as: UTF8.self), name: file.path,
        directory: file.deletingLastPathComponent())
      SettingsFile.saveAsLastGood(bytes, ifGood: reading, at: profile.locations.lastSettings)
      return reading
    } catch {
      return SettingsFile.read(file)
    }
  }

  /// Adds the cookies that a page set to those of a site, as the user chose for that site.
  func addCookies(_ cookies: ChainCookies, of site: String) { profile.cache.add(cookies, of: site) }

  /// Applies a choice that the user made by pressing a key to pages loaded from now on, and stores
  /// the choice unless the session is private.
  func applyChoice(_ choice: Choices.Choice) {
    if let message = profile.apply(choice) { post(.notice(message, isError: true)) }
    guard !profile.isPrivate else { return }
    write(orReport: "not remembered") { [self] () throws(ArchiveError) in
      guard try profile.choiceFile.add(choice) else { return }
      post(
        .notice(
          "the remembered views, theme and cookie decisions are lost: their file is damaged; a copy of it"
            + " ends in .damaged",
          isError: true))
    }
  }

  /// Returns the last reading position of a page; nil if none is recorded. Waits for queued writes;
  /// call it on the thread that loads the page.
  func lastPosition(on page: Page) -> ReadingLog.Record? {
    lanes.wait(for: .positions) {
      let name = Browser.positionKey(of: page)
      var record: ReadingLog.Record?
      if let parts = page.parts, parts.index == nil {
        // For a book, the position in the part that was read last applies.
        record = positionInFile(of: page)
      }
      record = record ?? profile.readingLog.last(of: name) ?? positionInFile(of: page)
      // The record may spell the same URL differently.
      record?.url = name
      return record
    }
  }

  /// Returns the last reading position in the file that contains a page. If the page is a part of
  /// the file, returns the position in that part. The file may have been moved since; nil for a web
  /// page.
  private func positionInFile(of page: Page) -> ReadingLog.Record? {
    guard page.isOfBook else { return nil }
    return profile.contentKey(of: page.url).flatMap {
      profile.readingLog.last(ofBook: $0, part: page.parts?.index)
    }
  }

  /// Posts the bookmark with a letter.
  func findBookmark(_ letter: String) {
    lanes.run(.positions) { [self] in
      post(.foundBookmark(letter, profile.readingLog.bookmark(letter)))
    }
  }
}
