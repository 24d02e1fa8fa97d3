import Document
import Foundation
package import OfflineCache
import Pages

/// A download of a URL's content to a file.
package struct Download: Sendable, Equatable {
  package var id: DownloadID
  package var url: String
  /// The path of the file: as requested, then as `DownloadEvent.began` reports it; empty until the
  /// user has chosen one.
  package var path: String
  /// The options of the load.
  package var options: LoadOptions
  package var source = Source.request
  /// The media type of the content; empty if unknown.
  package var mediaType = ""
  /// The file name that the server suggests; empty for none.
  package var suggestedName = ""
  /// Whether the file was received when a page was requested. The key that stops loading then
  /// cancels the download.
  package var isInsteadOfPage = false
  /// Whether the file is the response to a request with content, which must not be sent again.
  package var requestHasContent = false
  /// The size in bytes; nil if it is unknown.
  var byteCount: Int?
  /// The date when the content was saved; nil if a server sent it now.
  var savedDate: Date?
  package var state = State.waiting

  /// The source of the content of a download.
  package enum Source: Sendable, Equatable {
    /// The download requests the URL; a response with an error status is a failure.
    case request
    /// A load is still receiving the content, and has received this number of bytes.
    case load(LoadID, received: Int)
    /// A load has received the content, which is written regardless of its status code. It is nil
    /// if it must be read again from the saved version.
    case received([UInt8]?)
  }

  /// The progress of a download.
  package enum State: Sendable, Equatable {
    /// The user has not chosen a file name yet. The associated value is the path of an existing
    /// file with the name, if there is one.
    case awaitingName(existing: String?)
    /// Waits for other downloads.
    case waiting
    /// The number of bytes received, and the total if it is known.
    case running(received: Int, expected: Int?)
    /// The file is complete.
    case done(path: String, length: Int, mediaType: String)
    /// Failed with this message.
    case failed(String)
  }

  /// The content if a load has already received it; nil to load it.
  package var content: [UInt8]? {
    if case .received(let content) = source { content } else { nil }
  }

  /// The load that is still receiving the content; nil if this download loads it itself or already
  /// has it.
  var receivingLoadID: LoadID? {
    if case .load(let id, _) = source { id } else { nil }
  }

  /// Whether the download is not finished.
  var isActive: Bool {
    switch state {
    case .awaitingName, .waiting, .running: true
    case .done, .failed: false
    }
  }

  /// Whether the content is loaded, and not only from the archive.
  var needsNetwork: Bool { content == nil && options.mode != .cacheOnly }

  /// The name of the file.
  var fileName: String {
    let path = path.isEmpty ? defaultFileName : path
    return SafeText.line(path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// The name of the file if the user has not chosen one.
  package var defaultFileName: String {
    DownloadName.defaultName(suggested: suggestedName, url: url, mediaType: mediaType)
  }
}
