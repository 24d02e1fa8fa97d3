/// The default style of a role that a theme does not specify.
struct RoleStyle {
  /// The role whose colours the role inherits; if the theme does not specify the parent either, its
  /// parent's, and so on. Nil for none.
  var parent: Role?
  /// The attributes of the role, and its colours if the theme specifies no ancestor of it. The
  /// attributes also distinguish the role on a terminal without colours.
  var appearance: Theme.Appearance

  init(_ parent: Role?, _ attributes: Theme.Attributes = [], foreground: Theme.Color? = nil) {
    self.parent = parent
    appearance = Theme.Appearance(foreground: foreground, attributes: attributes)
  }
}
