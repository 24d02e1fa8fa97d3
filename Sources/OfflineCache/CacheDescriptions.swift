import Foundation

extension LoadMode: CustomStringConvertible {
  /// The name of the mode in lower case with hyphens, as in the settings of offread.
  public var description: String { rawValue }
}

extension CopySelection: CustomStringConvertible {
  /// `latest`, `previous`, or the ID of the version.
  public var description: String {
    switch self {
    case .latest: "latest"
    case .previous: "previous"
    case .id(let id): id
    }
  }
}

extension LoadedResponse.Source: CustomStringConvertible {
  /// The source as one word; for a saved copy, the reason follows in parentheses.
  public var description: String {
    switch self {
    case .network: "network"
    case .validated: "validated"
    case .fresh: "fresh"
    case .saved(let reason): "saved(\(reason))"
    case .seed: "seed"
    case .substituted: "substituted"
    }
  }
}

extension CopyReason: CustomStringConvertible {
  /// The reason as a phrase for logs.
  public var description: String {
    switch self {
    case .failure(let failure): "\(failure)"
    case .status(let status): "status \(status)"
    case .suspect(let rejectionReason): "not trusted: \(rejectionReason)"
    case .offlineMode: "offline mode"
    case .waiting: "the server has not responded yet"
    case .requested: "requested"
    case .preferred: "preferred by the mode"
    case .permitted: "permitted although it is stale"
    }
  }
}

extension CacheEvent: CustomStringConvertible {
  /// The event in a line for logs, without content and URLs.
  public var description: String {
    switch self {
    case .response(let response): "response \(response.response.status) (\(response.source))"
    case .data(let bytes): "\(bytes.count) bytes"
    case .finished(let stored): stored == nil ? "finished" : "finished, saved"
    case .failed(let error): "failed: \(error)"
    case .refreshed: "a newer version is saved"
    case .checked(let check): "checked: \(check.result)"
    }
  }
}

extension NavigationEvent: CustomStringConvertible {
  /// The event in a line for logs, without content and URLs.
  public var description: String {
    switch self {
    case .redirected(_, _, let response): "redirect \(response.response.status)"
    case .response(let response, _): "response \(response.response.status) (\(response.source))"
    case .data(let bytes): "\(bytes.count) bytes"
    case .finished(let stored): stored == nil ? "finished" : "finished, saved"
    case .failed(let error): "failed: \(error)"
    case .refreshed: "a newer version is saved"
    case .checked(let check): "checked: \(check.result)"
    }
  }
}

extension TransportEvent: CustomStringConvertible {
  /// The event in a line for logs, without content.
  public var description: String {
    switch self {
    case .response(let head): "response \(head.status)"
    case .data(let bytes): "\(bytes.count) bytes"
    case .finished: "finished"
    case .failed(let failure): "failed: \(failure)"
    }
  }
}

extension Seed: CustomStringConvertible {
  /// The kind and the path of the seed.
  public var description: String {
    switch self {
    case .folder(let url): "directory \(url.path)"
    case .warc(let url): "WARC \(url.path)"
    }
  }
}

extension Substitution.Source: CustomStringConvertible {
  /// The URL, or the prefix followed by `*`.
  public var description: String {
    switch self {
    case .url(let url): url
    case .prefix(let prefix): prefix + "*"
    }
  }
}

extension Challenge.Scheme: CustomStringConvertible {
  /// The name of the authentication scheme in lower case.
  public var description: String { rawValue }
}

extension Identity.Cookies: CustomStringConvertible {
  /// The source of the cookies, without their values.
  public var description: String {
    switch self {
    case .none: "none"
    case .file: "file"
    case .jar(let path): "jar \(path)"
    }
  }
}
