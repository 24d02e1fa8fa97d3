extension DOMTree {
  /// Whether an element is invisible only until a script fades it in as the user scrolls: it has a
  /// class that a library for such animations makes invisible.
  func hasEntranceAnimation(_ node: Int32) -> Bool {
    guard let range = attribute(.class, of: node) else { return false }
    return bytes[range].split(whereSeparator: \.isWhiteSpace).contains { name in
      Self.entranceClasses.contains { name.elementsEqual($0.utf8) }
    }
  }

  private static let entranceClasses = [
    // Elementor, WOW, ScrollReveal, GSAP, Avada and Oshine.
    "elementor-invisible", "wow", "load-hidden", "gs_reveal", "fusion-animated", "be-animate",
    "animate-on-scroll", "fade-in-section", "reveal-on-scroll", "scroll-reveal",
  ]
}
