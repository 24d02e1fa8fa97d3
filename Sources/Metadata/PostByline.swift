package struct PostByline: Sendable, Equatable {
  package var name: String, date: String

  package init(name: String, date: String) { (self.name, self.date) = (name, date) }
}
