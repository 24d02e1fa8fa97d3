/// Determines the request header fields that are kept in a cross-origin redirect or rewrite.
enum PortableField {
  /// The fields that are independent of the server and do not identify the user. API keys may be in
  /// fields of any name, so fields that are not listed here are removed.
  private static let names: Set<String> = [
    "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language",
    "cache-control", "dnt", "pragma", "prefer", "priority", "range", "save-data", "sec-gpc", "te",
    "upgrade-insecure-requests", "user-agent",
  ]
  /// The fields that describe the content, which is sent to the new origin as well.
  private static let contentNames: Set<String> = [
    "content-digest", "content-disposition", "content-encoding", "content-language", "content-type",
    "digest", "repr-digest",
  ]

  /// Removes the fields that must not be sent to another origin.
  static func removeOthers(in fields: inout FieldLines) {
    // The range may refer to another representation of the resource.
    let isConditional = fields["If-Range"] != nil
    fields.removeAll { field in
      let name = field.name.lowercased()
      return !names.contains(name) && !contentNames.contains(name)
        || isConditional && name == "range"
    }
  }
}
