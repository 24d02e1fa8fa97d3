/// The custom properties that the open elements of a page declare.
struct DisplayVariableScopes {
  /// The declarations, outer ones first, with the depth of their element.
  private var declarations: [(depth: Int, declaration: DisplayVariable.Declaration)] = []

  private static let maxDeclarations = 256

  /// Begins an element: removes the declarations of the elements that end before it.
  mutating func beginElement(depth: Int) {
    while let last = declarations.last, last.depth >= depth { declarations.removeLast() }
  }

  /// Adds a declaration of the current element, unless it already has one of the property.
  mutating func declare(_ declaration: DisplayVariable.Declaration, depth: Int) {
    let own = declarations.reversed().prefix { $0.depth == depth }
    guard declarations.count < Self.maxDeclarations,
      !own.contains(where: { $0.declaration.name == declaration.name })
    else { return }
    declarations.append((depth, declaration))
  }

  /// Returns the value of a reference in the current element.
  func value(of reference: DisplayVariable.Reference) -> DisplayVariable.Value {
    let declared = declarations.last { $0.declaration.name == reference.name }
    return declared?.declaration.value ?? reference.fallback ?? .other
  }
}
