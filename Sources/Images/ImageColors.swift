/// The colours of a symbol as 0xRRGGBB; -1 is the default colour of the terminal.
package struct ImageColors: Sendable, Hashable {
  package var foreground: Int32, background: Int32

  package init(foreground: Int32 = -1, background: Int32 = -1) {
    self.foreground = foreground
    self.background = background
  }
}
