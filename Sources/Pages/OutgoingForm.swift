import DOM
package import Document
import OfflineCache

/// A form ready for submission.
package struct OutgoingForm: Sendable, Equatable {
  /// The absolute URL of the request.
  package var url: DocumentAddress
  /// The content to send with POST; nil for GET, where it is in the query of the URL.
  package var content: FormContent?
  /// The reason why the user should confirm the submission; nil if no confirmation is needed.
  package var confirmationReason: ConfirmationReason?

  /// The reason why the user should confirm a submission.
  package enum ConfirmationReason: Sendable, Equatable {
    /// The page was loaded over https, and the form would be sent over http.
    case isUnencrypted
    /// The page is a local file, or was replaced by one.
    case isFromFile
    /// The page is a saved copy, so hidden fields for the server may be outdated.
    case isFromCopy
  }

  /// The reason why a form cannot be sent.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The button does not belong to a form, or the form closes a dialog, so that only a script
    /// could process it.
    case needsScript
    /// The scheme of the URL is not http or https.
    case scheme(String)
    /// The action is not a valid URL.
    case address(String)
    /// A GET form with a password: it would become part of the URL, which is saved.
    case showsPassword

    package var description: String { message }

    /// The message for the user.
    package var message: String {
      switch self {
      case .needsScript: "this needs JavaScript, which offread does not run"
      case .scheme(let scheme): "offread does not send forms to \(SafeText.line(scheme)): URLs"
      case .address(let address): "the form has an invalid URL: \(SafeText.line(address))"
      case .showsPassword:
        "not sent: the password would be part of the URL, which is saved with the page"
      }
    }
  }

  /// Creates the submission of a form.
  /// - Parameters:
  ///   - form: the index of the form; nil for none.
  ///   - button: the submit button; nil for none.
  ///   - page: the page.
  ///   - values: the values that the user entered.
  /// - Throws: `Problem` if the form cannot be sent.
  package init(
    _ form: Int?, by button: Int32?, of page: Page, _ values: FormValues
  ) throws(Problem) {
    let forms = page.document.forms
    guard let form, forms.forms.indices.contains(form) else { throw .needsScript }
    let submission = forms.submission(
      of: form, by: button, values, pageEncoding: page.document.encodingName)
    guard submission.method != .dialog else { throw .needsScript }
    let pageURL = page.url.withoutFragment.text
    let target =
      submission.action.map { WebURL.resolve($0, against: page.document.baseURL) } ?? pageURL
    guard let target else { throw .address(submission.action ?? "") }
    let scheme = target.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
    if submission.method == .post {
      url = DocumentAddress(target)
      content = FormContent(mediaType: submission.mediaType, bytes: submission.content)
    } else {
      let hasSecret = forms.controls(of: form).contains { index in
        let control = forms.controls[Int(index)]
        return control.kind == .password && !control.isDisabled && !control.name.isEmpty
          && !values.text(of: index, in: forms).isEmpty
      }
      guard !hasSecret else { throw .showsPassword }
      url = Self.url(target, query: submission.content)
    }
    confirmationReason = Self.confirmationReason(about: page, to: scheme, isPost: content != nil)
  }

  /// Returns a URL with its query replaced.
  private static func url(_ target: String, query: [UInt8]) -> DocumentAddress {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let fragment = target.drop { $0 != "#" }
    return DocumentAddress("\(path)?\(String(decoding: query, as: UTF8.self))\(fragment)")
  }

  private static func confirmationReason(about page: Page, to scheme: String, isPost: Bool)
    -> ConfirmationReason?
  {
    if page.url.hasScheme("https"), scheme == "http" { return .isUnencrypted }
    guard isPost else { return nil }
    switch page.provenance.source {
    case .file, .substituted: return .isFromFile
    case .saved: return .isFromCopy
    case .network, .fresh, .builtIn, .explanation: return nil
    }
  }
}
