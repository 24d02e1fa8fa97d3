/// The settings for rendering pages that need scripts.
package struct RenderSettings: Sendable, Equatable {
  /// The browser, based on Chromium, as a command name or a path.
  package var command = "chromium"

  package init() {}
}
