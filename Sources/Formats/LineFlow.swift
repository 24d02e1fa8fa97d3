/// How the lines of a text are put together in which a line that ends with a space goes on (RFC 3676).
package struct LineFlow: Sendable, Equatable {
  /// Whether the space at the end of a line that goes on is none of the text (`delsp=yes`).
  package var dropsSpace = false

  package init(dropsSpace: Bool = false) { self.dropsSpace = dropsSpace }
}
