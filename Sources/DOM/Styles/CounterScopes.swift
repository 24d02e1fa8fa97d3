/// The counters in scope at a position of a traversal (CSS Lists 3 §4.4).
struct CounterScopes {
  /// The counters, outer ones first, with the hash of their name and the depth of the element that
  /// created them.
  private var scopes: [(name: UInt64, depth: Int, value: Int32)] = []
  /// The indices in `scopes` of the counters with a name, from the outermost.
  private var scopeIndicesByName: [UInt64: [Int]] = [:]

  private static let maxScopes = 1024

  /// Applies the declarations of an element at a depth.
  mutating func apply(_ declarations: CounterDeclarations, depth: Int) {
    for reset in declarations.resets { createCounter(reset.nameHash, depth, reset.number) }
    for increment in declarations.increments {
      if let index = scopeIndicesByName[increment.nameHash]?.last {
        scopes[index].value =
          scopes[index].value.addingReportingOverflow(increment.number)
          .partialValue
      } else {
        createCounter(increment.nameHash, depth, increment.number)
      }
    }
    for set in declarations.sets {
      if let index = scopeIndicesByName[set.nameHash]?.last {
        scopes[index].value = set.number
      } else {
        createCounter(set.nameHash, depth, set.number)
      }
    }
  }

  /// Removes the counters of the children of an element that ends.
  /// - Parameter depth: The depth of the element.
  mutating func closeScopes(depth: Int) {
    while let last = scopes.last, last.depth > depth {
      scopeIndicesByName[last.name]?.removeLast()
      scopes.removeLast()
    }
  }

  /// The values of the counters with a name, from the outermost.
  func values(_ name: UInt64) -> [Int32] {
    scopeIndicesByName[name, default: []].map { scopes[$0].value }
  }

  /// Creates a counter at a depth, or sets the one with the same name that exists at that depth.
  private mutating func createCounter(_ name: UInt64, _ depth: Int, _ value: Int32) {
    if let index = scopeIndicesByName[name]?.last, scopes[index].depth == depth {
      scopes[index].value = value
    } else if scopes.count < Self.maxScopes {
      scopeIndicesByName[name, default: []].append(scopes.count)
      scopes.append((name, depth, value))
    }
  }
}
