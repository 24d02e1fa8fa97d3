/// How pages are rendered.
package struct RenderSettings: Sendable, Equatable {
  /// The browser: a Chromium, by name or path.
  package var command = "chromium"

  package init() {}
}
