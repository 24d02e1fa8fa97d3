import Configuration
import Foundation
import Platform
import Synchronization
import TerminalUI

/// Runs effects that download files.
extension EffectRunner {
  /// Starts a download.
  /// - Parameter download: the download. If the path of the download is an existing directory, the
  ///   file is created in that directory. An existing file is never replaced.
  func startDownload(_ download: Download) {
    let (id, name) = (download.id, download.path)
    let home = name == "~" || name.hasPrefix("~/")
    var path = home ? (Locations.home() ?? "") + name.dropFirst() : name
    if !path.hasPrefix("/") { path = FileManager.default.currentDirectoryPath + "/" + path }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      path += (path.hasSuffix("/") ? "" : "/") + download.defaultFileName
    }
    let file = PartialFile(for: path, number: id.number, operations: programs.partialFiles)
    let new = DownloadRun(url: download.url, file: file) { [self] event in
      if event.isLast { state.withLock { $0.downloads[id] = nil } }
      post(.download(id, event))
    }
    state.withLock { $0.downloads[id] = new }
    post(.download(id, .began(path: path)))
    lanes.run(.downloads) { [profile] in new.start(download, profile) }
  }

  /// Cancels a download and deletes its partial file.
  func cancelDownload(_ id: DownloadID) {
    state.withLock { $0.downloads.removeValue(forKey: id) }?.cancel()
  }
}

extension DownloadEvent {
  fileprivate var isLast: Bool {
    switch self {
    case .began, .progressed: false
    case .done, .failed, .exists: true
    }
  }
}
