import Document
import OfflineCache
import Pages
import Profiles

extension StoredResponse {
  /// The kind of the credentials that a private copy was obtained with.
  var credentialKind: String {
    func hasField(_ name: String) -> Bool {
      varying.contains { $0.name == name && $0.value != nil }
    }
    if hasField("authorization") { return "user name and password" }
    return hasField("@certificate") ? "client certificate" : "cookies"
  }
}

extension ReaderError {
  /// Returns the message for a page that could not be loaded. If a copy of the page is read only
  /// with the credentials it was obtained with, the message names their kind.
  func text(in profile: Profile) -> String {
    guard case .notSaved(let url, isStrict: false) = self, let key = profile.cache.key(of: url),
      let copy = profile.cache.page(of: key), copy.isPrivate
    else { return description }
    let name = SafeText.line(SafeText.withoutCredentials(url))
    return "\(name) is saved, but can be read only with its \(copy.credentialKind)"
  }
}
