import DOM

// Dialogs ask for consent or an e-mail address before the user can read. They are not part of the
// text.

extension DOMTree {
  /// Removes the dialogs of a page, which are recognized by their element (`dialog`), role or
  /// `aria-modal`.
  ///
  /// A dialog with at least half of the text of the page stays, because it may hold the content. A
  /// dialog about consent or a subscription stays only if it has all of the text.
  /// - Returns: The number of removed dialogs with text.
  mutating func removeDialogs() -> Int {
    var dialogs: [Int32] = []
    var next = nodeAfter(0, in: 0)
    while let node = next {
      if nodes[Int(node)].contents.contains(.text), isDialog(node) {
        dialogs.append(node)
        next = nodeAfterSubtree(node, in: 0)
      } else {
        next = nodeAfter(node, in: 0)
      }
    }
    guard !dialogs.isEmpty else { return 0 }
    let all = textBytes(below: 0)
    var count = 0
    for dialog in dialogs {
      let own = textBytes(below: dialog)
      guard own * 2 < all || own < all && isConsentOrSignUpDialog(dialog) else { continue }
      detach(dialog)
      count += 1
    }
    return count
  }

  private func isDialog(_ node: Int32) -> Bool {
    switch nodes[Int(node)].name {
    case .dialog: return hasAttribute(.open, node)
    case .select, .input: return false
    default:
      return value(.ariaModal, of: node, contains: "true")
        || value(.role, of: node, hasWordAmong: Self.dialogRoles)
    }
  }

  private static let dialogRoles: [StaticString] = ["dialog", "alertdialog"]

  private func isConsentOrSignUpDialog(_ dialog: Int32) -> Bool {
    let text = collapsedText(below: dialog).lowercased()
    return ["cookie", "consent", "privacy", "newsletter", "subscribe", "sign up"].contains {
      text.contains($0)
    }
  }

  private func textBytes(below root: Int32) -> Int {
    var (size, next) = (0, nodeAfter(root, in: root))
    while let node = next {
      if nodes[Int(node)].name == .characters, !isBlank(node) {
        size += Int(nodes[Int(node)].end - nodes[Int(node)].start)
      }
      next =
        nodes[Int(node)].name.neverShowsText
        ? nodeAfterSubtree(node, in: root) : nodeAfter(node, in: root)
    }
    return size
  }
}
