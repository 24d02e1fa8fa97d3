import Foundation

/// Converts options to text and back. The text contains the fields that differ from the default
/// values, in the format of a URL query.
extension LoadOptions {
  /// An option as a field of the text, with functions to read and set it as a string.
  private struct Field: Sendable {
    let name: String
    let get: @Sendable (LoadOptions) -> String
    let set: @Sendable (inout LoadOptions, String) -> Void

    init<Value: LosslessStringConvertible & SendableMetatype>(
      _ name: String, _ path: any WritableKeyPath<LoadOptions, Value> & Sendable
    ) {
      self.name = name
      get = { String($0[keyPath: path]) }
      set = { options, text in
        if let value = Value(text) { options[keyPath: path] = value }
      }
    }
  }

  /// The fields for every stored property except `chain`, which only redirects set.
  private static let fields = [
    Field("mode", \.modeText), Field("isModeChosen", \.isModeChosen),
    Field("isReload", \.isReload), Field("isSchemeAssumed", \.isSchemeAssumed),
    Field("isAfterForm", \.isAfterForm), Field("followsRefreshes", \.followsRefreshes),
    Field("isUserEntered", \.isUserEntered),
    Field("isTargetOfUserEntered", \.isTargetOfUserEntered),
    Field("pagesFreshSince", \.pagesFreshSince),
    Field("allowsFallback", \.allowsFallback), Field("respectsNoStore", \.respectsNoStore),
    Field("respectsNoCache", \.respectsNoCache), Field("copy", \.copyText),
    Field("fallbackDelay", \.fallbackDelay),
    Field("fallbackDelayCoversContent", \.fallbackDelayCoversContent),
    Field("pauseFallbackDelay", \.pauseFallbackDelayText),
    Field("connectTimeout", \.connectTimeout),
    Field("firstByteTimeout", \.firstByteTimeout), Field("stallTimeout", \.stallTimeout),
    Field("totalTimeout", \.totalTimeout), Field("maxSize", \.maxSize),
    Field("maxStreamSize", \.maxStreamSize), Field("refusesEndless", \.refusesEndless),
    Field("maxRenderedSize", \.maxRenderedSize),
    Field("omitsValidatedContent", \.omitsValidatedContent),
    Field("acceptsPermanentMoves", \.acceptsPermanentMoves), Field("isPublicOnly", \.isPublicOnly),
    Field("isFromPage", \.isFromPage), Field("isUnattended", \.isUnattended),
    Field("isAnonymous", \.isAnonymous), Field("trust", \.trustText),
    Field("userSetFields", \.userSetFieldsText), Field("recordsRequest", \.recordsRequest),
  ]

  private static let standardValues = fields.map { $0.get(LoadOptions()) }

  /// The names of the properties in the text.
  static var textNames: [String] { fields.map(\.name) }

  /// The text; it consists of letters, digits, `=`, `&` and percent-encoded bytes.
  package var text: String {
    zip(Self.fields, Self.standardValues).compactMap { field, standard in
      let value = field.get(self)
      guard value != standard else { return nil }
      let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return "\(field.name)=\(encoded)"
    }.joined(separator: "&")
  }

  /// Creates options from their text; nil if it is malformed or has an unknown field. A value that
  /// cannot be parsed leaves the default value.
  package init?(text: String) {
    self.init()
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding,
        let field = Self.fields.first(where: { $0.name == pair[0] })
      else { return nil }
      field.set(&self, value)
    }
  }

  // MARK: Properties of other types

  private var modeText: String {
    get { mode.rawValue }
    set {
      let isModeChosen = isModeChosen
      mode = LoadMode(rawValue: newValue) ?? mode
      self.isModeChosen = isModeChosen
    }
  }

  private var copyText: String {
    get {
      switch copy {
      case .latest: "latest"
      case .previous: "previous"
      case .id(let id): "id " + id
      }
    }
    set {
      switch newValue {
      case "latest": copy = .latest
      case "previous": copy = .previous
      default: copy = .id(String(newValue.dropFirst(3)))
      }
    }
  }

  private var pauseFallbackDelayText: String {
    get { pauseFallbackDelay.map { String($0) } ?? "" }
    set { pauseFallbackDelay = TimeInterval(newValue) }
  }

  private var trustText: String {
    get {
      switch trust {
      case .accepted: "accepted"
      case .compared(let withCopy): String(withCopy)
      }
    }
    set { trust = Bool(newValue).map { .compared(withCopy: $0) } ?? .accepted }
  }

  private var userSetFieldsText: String {
    get { userSetFields.sorted().joined(separator: " ") }
    set { userSetFields = Set(newValue.split(separator: " ").map(String.init)) }
  }
}
