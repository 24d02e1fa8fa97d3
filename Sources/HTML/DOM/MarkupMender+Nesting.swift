extension MarkupMender {
  /// What the mender knows of libxml2's stack of open elements.
  ///
  /// libxml2 compares an end tag with every open element. On a page nested a million deep that is
  /// quadratic, so the depth is limited, as browsers do; elements below are left out and their
  /// contents stay. In a deep stack each end tag is handed over at once, and one that closed
  /// nothing is not tried again until something else changed.
  struct Nesting {
    /// The limit of browsers.
    private static let limit = 512
    /// The depth above which end tags are watched.
    private static let watched = 100

    private var depth = 0
    /// Elements below the limit that were left out and are not closed yet.
    private var swallowed = 0
    /// End tags that closed nothing at this depth.
    private var refused: Set<ElementName> = []
    /// The end tag that was written last and whose effect is not known yet.
    private var pending: ElementName?

    /// Nothing may be written before `update` told the depth.
    var mustWait: Bool { pending != nil }

    /// Takes note of the depth after everything written was parsed.
    mutating func update(depth newDepth: Int) {
      if newDepth != depth {
        if !refused.isEmpty { refused.removeAll() }
      } else if let pending {
        refused.insert(pending)
      }
      pending = nil
      depth = newDepth
    }

    /// Whether a start tag is too deep to be written.
    func swallows(_ name: ElementName) -> Bool {
      (depth > Self.limit || swallowed > 0) && !name.isVoid && !name.isDropped && name != .html
    }

    /// Counts an element that was left out.
    mutating func swallow() { swallowed += 1 }

    /// Counts the end of an element that was left out.
    mutating func release() { swallowed -= 1 }

    /// Whether an end tag is to be written.
    mutating func closes(_ name: ElementName) -> Bool {
      if swallowed > 0 {
        swallowed -= 1
        return false
      }
      guard depth > Self.watched else { return true }
      guard !refused.contains(name) else { return false }
      pending = name
      return true
    }
  }
}
