import Foundation
import GRDB

/// Messages for errors of any type, never Swift's debug output.
package enum ErrorMessage {
  /// Returns a message for an error: the localized description of a system error, or the
  /// description that a type provides. Errors without a description get a general message.
  package static func text(_ error: any Error) -> String {
    if let error = error as? DatabaseError { return text(error) }
    if type(of: error) is NSError.Type || error is CocoaError || error is POSIXError {
      return error.localizedDescription
    }
    // The static type is checked, because any error can be bridged to `NSError`, which has a
    // description.
    return type(of: error) is any CustomStringConvertible.Type
      ? String(describing: error) : "an unexpected error"
  }

  /// Returns the archive error for an error of a database.
  /// - Parameters:
  ///   - error: the error.
  ///   - database: the name of the database for messages.
  /// - Returns: `.stopped` if the user ended the waiting for a locked database, otherwise
  ///   `.unreadable`.
  package static func archiveError(_ error: any Error, of database: String) -> ArchiveError {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_BUSY,
      DatabaseTimeout.isStopped
    {
      return .stopped
    }
    return .unreadable("\(database): \(text(error))")
  }

  private static func text(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: DatabaseTimeout.message
    case .SQLITE_FULL: "the disk is full"
    // SQLite extends the file of the shared memory by writing to it, which fails on a full disk.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: "the disk is full"
    default: error.message ?? error.resultCode.description
    }
  }
}
