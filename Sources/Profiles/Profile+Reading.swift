import Configuration
package import Library

extension Profile {
  /// Returns the changes that mark pages as read, with a call of the read hook for each that is an
  /// item of a feed to which the hook applies.
  package func changes(markingRead pages: [LibraryPage]) -> [LibraryChange] {
    pages.flatMap { page in
      LibraryChange.marking(
        page.key, isRead: true, callsHook: settings.hooks.isCalledForItems(of: page.feed))
    }
  }
}
