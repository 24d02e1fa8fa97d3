/// The parameters of `format=flowed` text, in which a line that ends with a space continues on the
/// next line (RFC 3676).
package struct FlowedFormat: Sendable, Equatable {
  /// Whether the trailing space of a flowed line is removed (`delsp=yes`).
  package var deletesTrailingSpace = false

  package init(deletesTrailingSpace: Bool = false) {
    self.deletesTrailingSpace = deletesTrailingSpace
  }
}
