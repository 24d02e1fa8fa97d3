import DOM
package import Document
import OfflineCache

/// What is sent to a server beside the address: the content of a POST. It is kept in memory only.
package struct FormContent: Sendable, Equatable {
  /// The media type, with its parameters.
  package var mediaType: String
  /// The bytes.
  package var bytes: [UInt8]

  package init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

/// A form that is to be sent: the address that answers it, and what is sent there.
package struct OutgoingForm: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// What is sent with POST; nil for GET, whose URL has it.
  package var content: FormContent?
  /// Why a person should be asked first, or nil.
  package var doubt: Doubt?

  /// Why a person should be asked before a form is sent.
  package enum Doubt: Sendable, Equatable {
    /// The page came over a secure connection, and what is filled in would not go over one.
    case isReadable
    /// The page is a file on this machine.
    case isFromFile
    /// The page is a saved copy: what its server wants to have back may not hold any more.
    case isFromCopy
  }

  /// Why a form cannot be sent.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Its button is part of no form, or the form closes a dialogue: only a script could do anything.
    case needsScript
    /// The address is none of the web.
    case scheme(String)
    /// The address is no URL.
    case address(String)
    /// A password would be a part of the address, which is written down.
    case showsPassword

    package var description: String { words }

    /// The words for a person.
    package var words: String {
      switch self {
      case .needsScript: "only a script of the page knows what this does"
      case .scheme(let scheme): "offread does not send forms to \(SafeText.line(scheme)) addresses"
      case .address(let address): "the form goes to no address: \(SafeText.line(address))"
      case .showsPassword:
        "not sent: the password would be part of an address, which is saved with the page"
      }
    }
  }

  /// Makes a form of a page ready.
  /// - Parameters:
  ///   - form: its index, -1 for none.
  ///   - button: the control that sends it, or nil.
  ///   - page: the page.
  ///   - values: what was filled in.
  /// - Throws: `Problem` when it cannot be sent.
  package init(
    _ form: Int32, by button: Int32?, of page: Page, _ values: FormValues
  ) throws(Problem) {
    let forms = page.document.forms
    guard forms.forms.indices.contains(Int(form)) else { throw .needsScript }
    let submission = forms.submission(
      of: form, by: button, values, encoding: page.document.encoding)
    guard submission.method != .dialog else { throw .needsScript }
    let own = String(page.url.prefix { $0 != "#" })
    let target = submission.action.map { WebURL.resolve($0, against: page.document.base) } ?? own
    guard let target else { throw .address(submission.action ?? "") }
    let scheme = target.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
    if submission.method == .post {
      url = target
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
    doubt = Self.doubt(about: page, to: scheme, isPost: content != nil)
  }

  /// An address with another query.
  private static func url(_ target: String, query: [UInt8]) -> String {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let fragment = target.drop { $0 != "#" }
    return "\(path)?\(String(decoding: query, as: UTF8.self))\(fragment)"
  }

  private static func doubt(about page: Page, to scheme: String, isPost: Bool) -> Doubt? {
    if page.url.hasScheme("https"), scheme == "http" { return .isReadable }
    guard isPost else { return nil }
    switch page.provenance.source {
    case .file, .substituted: return .isFromFile
    case .saved: return .isFromCopy
    case .network, .fresh, .builtIn, .explanation: return nil
    }
  }
}
