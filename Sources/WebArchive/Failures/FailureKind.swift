import Foundation
import HTTPCaching

/// The kinds of failure of a load. The raw value is written to logs and, unless the facts have
/// another form, to records.
///
/// This is the only list of kinds, and `facts` is the only table of their properties. The program
/// has a second table, with its messages for users.
public enum FailureKind: String, Sendable, Equatable, CaseIterable {
  /// There is no network at all (no route, network down).
  case noNetwork = "no-network"
  /// The host's name has no address.
  case hostNotFound = "host-not-found"
  /// The host refused the connection.
  case connectionRefused = "connection-refused"
  /// The host cannot be reached.
  case hostUnreachable = "host-unreachable"
  /// The connection, including the DNS lookup, was not established in time.
  case connectTimedOut = "connect-timed-out"
  /// A time limit was exceeded after the connection was established: the limit for the first byte,
  /// for a stall or for the whole transfer.
  case timedOut = "timed-out"
  /// The certificate of the server is not trusted.
  case notTrusted = "not-trusted"
  /// The server requires a client certificate.
  case certificateRequired = "certificate-required"
  /// No TLS connection can be established with the server; perhaps it does not support HTTPS.
  case noSecureConnection = "no-secure-connection"
  /// The response ended before it was complete.
  case incomplete = "incomplete"
  /// The response cannot be read as HTTP.
  case malformed = "malformed"
  /// The content of the response cannot be decoded.
  case undecodable = "undecodable"
  /// The response exceeds a size limit.
  case tooLarge = "too-large"
  /// The response is a stream that never ends, and the load refuses those.
  case endless = "endless"
  /// The redirects form a loop.
  case redirectLoop = "redirect-loop"
  /// There are more redirects than the limit allows.
  case tooManyRedirects = "too-many-redirects"
  /// A redirect leads to a scheme other than http and https, or would send content over http that
  /// was first sent over https.
  case forbiddenRedirect = "forbidden-redirect"
  /// The redirects do not lead to a page, for a reason that no other case names.
  case badRedirect = "bad-redirect"
  /// The request cannot be sent: the cache does not load the URL, or the method or a field has
  /// invalid characters.
  case badURL = "bad-url"
  /// A page on the public network leads to an address on a private network.
  case privateAddress = "private-address"
  /// A page or a redirect leads to a port of another protocol.
  case blockedPort = "blocked-port"
  /// The proxy requires a user name and a password.
  case proxyAuthenticationRequired = "proxy-authentication-required"
  /// The URL of the proxy cannot be used.
  case badProxyURL = "bad-proxy-url"
  /// The name of the proxy has no address.
  case proxyNotFound = "proxy-not-found"
  /// There is no connection to the proxy.
  case proxyUnreachable = "proxy-unreachable"
  /// The proxy refused to forward the request.
  case proxyRefused = "proxy-refused"
  /// The proxy cannot reach the server.
  case proxyUnconnected = "proxy-unconnected"
  /// The proxy failed, or does not speak the protocol of a proxy.
  case proxyFailed = "proxy-failed"
  /// The client certificate or its key cannot be used.
  case badClientCertificate = "bad-client-certificate"
  /// The file of trusted certificates cannot be used.
  case badAuthorities = "bad-authorities"
  /// libcurl cannot be loaded.
  case noTransport = "no-transport"
  /// The content of an upload cannot be read.
  case unreadableUpload = "unreadable-upload"
  /// The content of an upload would have to be sent again, and its stream can be read only once.
  case unrepeatableUpload = "unrepeatable-upload"
  /// The session's task is of a kind that cannot load through a cache.
  case unsupportedTask = "unsupported-task"
  /// No cache is registered for the sessions of the process.
  case noCache = "no-cache"
  /// The cache is closed.
  case closed = "closed"
  /// The request was limited to saved copies, and no suitable copy is saved.
  case notSaved = "not-saved"
  /// The saved copy cannot be read.
  case unreadableCopy = "unreadable-copy"
  /// There is no such built-in page.
  case noBuiltInPage = "no-built-in-page"
  /// The request was cancelled.
  case cancelled = "cancelled"
  /// Another failure, such as an error that an application's own loader threw.
  case other = "other"
}

extension FailureKind {
  /// The properties of this kind.
  package var facts: FailureFacts {
    switch self {
    case .noNetwork: .init(.noNetwork, "there is no network", .offline, .notConnectedToInternet)
    case .hostNotFound:
      .init(.noConnection, "the host was not found", .unreachable, .cannotFindHost)
    case .connectionRefused:
      .init(.refused, "the host refused the connection", .unreachable, .cannotConnectToHost)
    case .hostUnreachable:
      .init(.noConnection, "the host cannot be reached", .unreachable, .cannotConnectToHost)
    case .connectTimedOut: .init(.noConnection, "the connection timed out", .timeout, .timedOut)
    case .timedOut:
      .init(.request, "the response timed out", .timeout, .timedOut, isTransient: true)
    case .notTrusted:
      .init(
        .handshake, "the certificate of the server is not trusted", .error,
        .serverCertificateUntrusted, isLasting: true)
    case .certificateRequired:
      .init(
        .request, "the server requires a client certificate", .error, .clientCertificateRequired,
        isLasting: true, mayBeArchived: false)
    case .noSecureConnection:
      .init(
        .handshake, "there is no secure connection to the server", .error, .secureConnectionFailed)
    case .incomplete:
      .init(
        .request, "the response ended before it was complete", .error, .networkConnectionLost)
    case .malformed: .init(.response, "the response cannot be read", .error, .cannotParseResponse)
    case .undecodable:
      .init(
        .response, "the content of the response cannot be decoded", .error, .cannotParseResponse,
        isLasting: true,
        recordedForm: (.malformed, "its content cannot be decoded as ", ""))
    case .tooLarge:
      .init(
        .response, "the response is too large", .error, .dataLengthExceedsMaximum,
        isLasting: true, mayBeArchived: false)
    case .endless:
      .init(
        .response, "the response never ends", .error, .dataLengthExceedsMaximum,
        isLasting: true, mayBeArchived: false,
        recordedForm: (.tooLarge, "the response is a stream without an end", ""))
    case .redirectLoop:
      .init(
        .response, "the redirects go in a circle", .error, .httpTooManyRedirects,
        isLasting: true,
        recordedForm: (.badRedirect, "redirected in a circle", ""))
    case .tooManyRedirects:
      .init(
        .response, "the limit of redirects was exceeded", .error, .httpTooManyRedirects,
        isLasting: true,
        recordedForm: (.badRedirect, "redirected more than ", " times"))
    case .forbiddenRedirect:
      .init(
        .response, "the redirect must not be followed", .error, .redirectToNonExistentLocation,
        isLasting: true,
        recordedForm: (.badRedirect, "redirected to what is not on the web", ""))
    case .badRedirect:
      .init(
        .response, "the redirects lead to no page", .error, .redirectToNonExistentLocation,
        isLasting: true)
    case .badURL:
      .init(
        .nowhere, "the URL cannot be requested", .error, .badURL, isLasting: true,
        allowsFallback: false)
    case .privateAddress:
      .init(
        .nowhere, "the address is on a private network", isLasting: true, mayBeArchived: true,
        recordedForm: (.other, "a page of the public network leads to", ""))
    case .blockedPort:
      .init(
        .nowhere, "the port belongs to another protocol", isLasting: true,
        recordedForm: (.other, "port ", " is not one of the web"))
    case .proxyAuthenticationRequired:
      .init(
        .proxy, "the proxy requires a user name and a password",
        recordedForm: (.other, "the proxy", " asks for a user name"))
    case .badProxyURL:
      .init(
        .nowhere, "the URL of the proxy cannot be used",
        recordedForm: (.other, "the address of the proxy", " cannot be used"))
    case .proxyNotFound:
      .init(
        .proxy, "the proxy was not found",
        recordedForm: (.other, "the proxy", " is not found: check"))
    case .proxyUnreachable:
      .init(
        .proxy, "the proxy cannot be reached", .unreachable, .cannotConnectToHost,
        isTransient: true,
        recordedForm: (.hostUnreachable, "the proxy", " cannot be reached"))
    case .proxyRefused:
      .init(
        .proxy, "the proxy refused the request", mayBeArchived: true,
        recordedForm: (.other, "the proxy", " refused"))
    case .proxyUnconnected:
      .init(
        .proxy, "the proxy cannot reach the server", mayBeArchived: true,
        recordedForm: (.other, "the proxy", " cannot reach the server"))
    case .proxyFailed: .init(.proxy, "the proxy failed", recordedForm: (.other, "the proxy", " "))
    case .badClientCertificate:
      .init(
        .nowhere, "the client certificate cannot be used",
        recordedForm: (.other, "the client certificate cannot be used", ""))
    case .badAuthorities:
      .init(
        .nowhere, "the file of trusted certificates cannot be used",
        recordedForm: (.other, "the file of trusted certificates cannot be used", ""))
    case .noTransport:
      .init(
        .nowhere, "the library libcurl cannot be used",
        recordedForm: (.other, "libcurl cannot be used", ""))
    case .unreadableUpload: .init(.nowhere, "the content to send cannot be read")
    case .unrepeatableUpload:
      .init(
        .nowhere, "the content to send cannot be sent again", .error, .requestBodyStreamExhausted)
    case .unsupportedTask:
      .init(.nowhere, "the kind of task is not supported", .error, .cannotCreateFile)
    case .noCache: .init(.nowhere, "there is no registered cache")
    case .closed: .init(.nowhere, "the cache is closed")
    case .notSaved: .init(.nowhere, "the page is not saved", .error, .resourceUnavailable)
    case .unreadableCopy:
      .init(.nowhere, "the saved copy cannot be read", .error, .cannotOpenFile)
    case .noBuiltInPage:
      .init(.nowhere, "there is no such built-in page", .error, .fileDoesNotExist)
    case .cancelled:
      .init(.unknown, "the request was cancelled", .error, .cancelled, allowsFallback: false)
    case .other: .init(.unknown, "the request failed", mayBeArchived: true)
    }
  }

  /// Determines the kind of a failure from a record.
  /// - Parameters:
  ///   - stored: The name of the kind. A name that is unknown to this version counts as `other`.
  ///   - message: The message after the name, by which kinds with the same name are distinguished.
  init(stored: String, message: String) {
    let kind = FailureKind(rawValue: stored) ?? .other
    let part = Self.allCases.first {
      guard let form = $0.facts.recordedForm, form.kind == kind else { return false }
      return message.hasPrefix(form.start)
        && (form.part.isEmpty || message.contains(form.part))
    }
    self = part ?? kind
  }

  /// The name of the kind in records.
  var storedName: String { (facts.recordedForm?.kind ?? self).rawValue }
}
