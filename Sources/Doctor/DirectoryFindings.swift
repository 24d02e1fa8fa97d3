import Pages
package import Profiles
import Platform
import Configuration
import Document
import Foundation
import Library
import OfflineCache

/// The health of the directories of a profile, checked without writing anything.
package struct DirectoryFindings {
  private let profile: Profile
  private let homeDirectory: String?
  private var locations: Locations { profile.locations }

  /// Creates the checks.
  /// - Parameters:
  ///   - profile: a read-only profile.
  ///   - homeDirectory: the home directory, which does not appear in the findings.
  package init(of profile: Profile, homeDirectory: String?) {
    (self.profile, self.homeDirectory) = (profile, homeDirectory)
  }

  /// The findings of all checks.
  package var allFindings: [Finding] {
    var found = [
      directoryFinding("archive", locations.archive),
      directoryFinding("library", locations.journals),
      directoryFinding("state", locations.state),
      directoryFinding("indexes", locations.index.deletingLastPathComponent()),
    ]
    if exists(locations.archive.path) {
      found += [freeSpaceFinding(locations.archive), segmentsFinding()]
    }
    found += [
      databaseFinding("index", locations.index, Archive.indexVersion),
      databaseFinding(
        "index of words", label: "search index", locations.searchIndex, SearchIndex.databaseVersion),
      databaseFinding("library index", locations.libraryIndex, PageLibrary.databaseVersion),
    ]
    if exists(locations.journals.path) { found += [journalsFinding(), queueFinding()] }
    found.append(locksFinding())
    return found
  }

  // MARK: Directories

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns a path without private names: standard directories with the home directory as `~`, and
  /// a placeholder for all others.
  private func publicPath(_ path: String) -> String {
    guard let homeDirectory, path.hasPrefix(homeDirectory + "/") else {
      return "a directory outside of the home directory"
    }
    // A directory may have any name; the standard ones reveal nothing.
    let rest = path.dropFirst(homeDirectory.count)
    let isStandard = [".local/share", ".local/state", ".cache", ".config"].contains {
      rest.hasPrefix("/\($0)/offread")
    }
    return isStandard ? "~" + rest : "a directory in ~"
  }

  private func directoryFinding(_ name: String, _ url: URL) -> Finding {
    let position = publicPath(url.path)
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      let error = errno
      guard error != ENOENT, error != ENOTDIR else {
        return Finding(.directories, name, "does not exist yet (\(position))")
      }
      return Finding(
        .directories, name, "\(position), not readable (\(String(cString: strerror(error))))",
        advice: "make this user the owner of it and of the directories above it")
    }
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    let kind = Self.unusualFileSystem(url.resolvingSymlinksInPath().path, mounts)
    var message = "\(position), \(kind ?? "local")"
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return Finding(
        .directories, name, message, advice: "it is not a directory; move it elsewhere")
    }
    guard access(url.path, R_OK | W_OK | X_OK) == 0 else {
      return Finding(
        .directories, name, message + ", not writable",
        advice: "pages cannot be saved: make this user its owner and set mode 0700")
    }
    let isOpen = status.st_mode & 0o077 != 0
    if isOpen { message += ", mode \(String(status.st_mode & 0o777, radix: 8))" }
    let isSecret = status.st_mode & 0o007 != 0
    return Finding(
      .directories, name, message,
      advice: isSecret
        ? "other users can read it: chmod 700" + (position.hasPrefix("~") ? " \(position)" : "")
        : nil)
  }

  private func freeSpaceFinding(_ url: URL) -> Finding {
    var status = statvfs()
    guard statvfs(url.path, &status) == 0 else {
      return Finding(.directories, "room", textLabel: "free space", "not known")
    }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    let isScarce = free < 200_000_000
    return Finding(
      .directories, "room", textLabel: "free space",
      CountFormatter.byteCountText(Int64(clamping: free)),
      advice: isScarce
        ? "free some space, or let offread remove pages: see [archive] in offread.conf(5)" : nil)
  }

  private func segmentsFinding() -> Finding {
    var count = 0
    var size: Int64 = 0
    var unreadable = 0
    guard
      let names = try? FileManager.default.contentsOfDirectory(atPath: locations.archive.path)
    else {
      return Finding(
        .directories, "segments", "not known: the archive is not readable",
        advice: "make this user the owner of the archive's files")
    }
    for name in names where name.hasSuffix(".warc.gz") || name.hasSuffix(".warc") {
      var status = stat()
      let path = locations.archive.appendingPathComponent(name).path
      guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
        unreadable += 1
        continue
      }
      count += 1
      size += Int64(status.st_size)
    }
    return Finding(
      .directories, "segments",
      "\(count), \(CountFormatter.byteCountText(size))"
        + (unreadable > 0 ? ", \(unreadable) not readable" : ""),
      advice: unreadable > 0 ? "make this user the owner of the archive's files" : nil)
  }

  /// Returns the type of the file system of a path if it differs from a local disk in locking or
  /// persistence.
  /// - Parameters:
  ///   - path: a path with symbolic links resolved.
  ///   - mounts: the mounted file systems, in the format of `/proc/self/mounts`.
  /// - Returns: the type for display; nil for a local disk.
  static func unusualFileSystem(_ path: String, _ mounts: String) -> String? {
    var best: (length: Int, kind: Substring)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let point = fields[1].replacingOccurrences(of: "\\040", with: " ")
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      // Later mounts hide earlier ones.
      if isAbove, point.utf8.count >= best?.length ?? 0 { best = (point.utf8.count, fields[2]) }
    }
    guard let kind = best?.kind else { return nil }
    switch kind {
    case "nfs", "nfs4": return "NFS"
    case "cifs", "smb3", "smbfs": return "SMB"
    case "9p", "virtiofs": return "shared by another system (\(kind))"
    case "tmpfs", "ramfs": return "in memory, lost at the next boot"
    case _ where kind.hasPrefix("fuse"): return "FUSE"
    default: return nil
    }
  }

  // MARK: Databases, journals, locks

  /// Checks the version in the header of an SQLite database (`user_version`).
  private func databaseFinding(
    _ name: String, label: String? = nil, _ url: URL, _ version: Int
  ) -> Finding {
    guard exists(url.path) else {
      return Finding(
        .directories, name, textLabel: label, "does not exist; it is created when needed")
    }
    guard let file = FileHandle(forReadingAtPath: url.path),
      let head = try? file.read(upToCount: 64).map({ [UInt8]($0) })
    else {
      return Finding(
        .directories, name, textLabel: label, "not readable", advice: "make this user its owner")
    }
    guard head.count == 64, head.starts(with: "SQLite format 3".utf8) else {
      return Finding(
        .directories, name, textLabel: label, "damaged",
        advice: "nothing is lost: it is rebuilt at the next start")
    }
    let found = head[60..<64].reduce(0) { $0 << 8 | Int($1) }
    return Finding(
      .directories, name, textLabel: label,
      found == version ? "version \(found)" : "version \(found), to be rebuilt as \(version)")
  }

  private func journalsFinding() -> Finding {
    guard
      let names = try? FileManager.default.contentsOfDirectory(atPath: locations.journals.path)
    else {
      return Finding(
        .directories, "journals", "not readable",
        advice: "make this user the owner of the library's files")
    }
    let count = names.count { $0.hasSuffix(".journal") }
    do throws(ArchiveError) {
      let kept = try profile.library.count(with: .pinned)
      let notes = profile.drainNotices().count
      return Finding(
        .directories, "journals",
        "\(count), \(CountFormatter.countText(kept, "page")) kept" + (notes > 0 ? ", damaged" : ""),
        advice: notes > 0 ? "offread archive verify lists the lines" : nil)
    } catch {
      return Finding(
        .directories, "journals", "\(count), not readable",
        advice: "make this user the owner of the library's files")
    }
  }

  /// Reports the number of queued pages, and of those that could not be fetched.
  private func queueFinding() -> Finding {
    guard let waiting = try? profile.library.pages(with: .queued) else {
      return Finding(.directories, "queue", "not known")
    }
    let failed = waiting.count { !$0.failure.isEmpty }
    return Finding(
      .directories, "queue",
      CountFormatter.countText(waiting.count, "page") + (failed > 0 ? ", \(failed) failed" : ""),
      advice: failed > 0
        ? "offread list --queue lists the pages, offread remove removes them" : nil)
  }

  private func locksFinding() -> Finding {
    let files = [
      ("maintenance", locations.archive.appendingPathComponent(".maintenance")),
      ("sync", locations.state.appendingPathComponent("sync.lock")),
    ]
    let lockedFiles = files.filter { _, url in
      guard let file = try? LocalFileSystem().openForReading(url.path),
        let isFree = try? file.tryShare()
      else { return false }
      if isFree { file.unlock() }
      return !isFree
    }.map(\.0)
    return Finding(
      .directories, "locks", lockedFiles.isEmpty ? "none held" : lockedFiles.joined(separator: ", ")
    )
  }
}
