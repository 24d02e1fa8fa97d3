package import HTML
package import OfflineCache
package import Reader

/// Something the `Browser` wants done in the world.
package enum Effect: Sendable, Equatable {
  /// Load a page and report under this name.
  case load(LoadID, LoadRequest)
  /// Read a page that is here in another way and report under this name.
  case read(LoadID, Page, ReadingView)
  /// Stop a load; nothing more of it is wanted.
  case cancel(LoadID)
  /// Find out which of these absolute URLs are saved, for the page with this URL.
  case lookUpSaved(of: String, [String])
  /// Keep a user name and a password in memory for what a page asked.
  case signIn(Credentials, SignIn)
  /// Give text to the terminal's clipboard.
  case writeClipboard(String)
  /// Draw everything again.
  case redraw
  /// Stop until the shell continues the program.
  case suspend
  /// End with this exit code.
  case quit(Int32)
}
