/// Which fields of a request go on when it is sent to another origin than the one they were given for.
enum PortableField {
  /// What is the same whoever is asked, and tells nothing of who asks. Keys of services have any name, so
  /// fields that are not here stay.
  private static let names: Set<String> = [
    "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language",
    "cache-control", "dnt", "pragma", "prefer", "priority", "range", "save-data", "sec-gpc", "te",
    "upgrade-insecure-requests", "user-agent",
  ]
  /// What describes the content, which goes on with it.
  private static let ofContent: Set<String> = [
    "content-digest", "content-disposition", "content-encoding", "content-language", "content-type",
    "digest", "repr-digest",
  ]

  /// Takes the fields away that stay with the origin they were given for.
  static func keep(in fields: inout FieldLines) {
    // The part that is wanted may be one of another whole.
    let isConditional = fields["If-Range"] != nil
    fields.removeAll { field in
      let name = field.name.lowercased()
      return !names.contains(name) && !ofContent.contains(name) || isConditional && name == "range"
    }
  }
}
