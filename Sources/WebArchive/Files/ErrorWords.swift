import Foundation
import GRDB

/// The words for an error of any kind: never what Swift prints of one.
package enum ErrorWords {
  /// The words, without an end.
  package static func text(_ error: any Error) -> String {
    if let error = error as? DatabaseError { return text(error) }
    if type(of: error) is NSError.Type || error is CocoaError || error is POSIXError {
      return error.localizedDescription
    }
    // Of the type: any error can be made an `NSError`, which has a description.
    return type(of: error) is any CustomStringConvertible.Type
      ? String(describing: error) : "an unexpected error"
  }

  /// The error of the archive for one of a database.
  /// - Parameters:
  ///   - error: what is wrong with it.
  ///   - database: what it is called.
  /// - Returns: `.stopped` when a person did not want to wait for it any longer, else `.unreadable`.
  package static func archiveError(_ error: any Error, of database: String) -> ArchiveError {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_BUSY,
      DatabasePatience.isStopped
    {
      return .stopped
    }
    return .unreadable("\(database): \(text(error))")
  }

  private static func text(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: DatabasePatience.words
    case .SQLITE_FULL: "the disk is full"
    default: error.message ?? error.resultCode.description
    }
  }
}
