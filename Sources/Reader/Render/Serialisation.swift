/// How a document becomes markup once its scripts have run.
enum Serialisation {
  /// The script that does it. It runs in a world of its own, where nothing is what the page has put there.
  ///
  /// What shadow trees show stands in the place of their hosts' children, as a reader sees it. Scripts, but
  /// for data, and what is for browsers without them are left out.
  /// - Parameter limit: the most characters.
  /// - Returns: an expression whose value has `url`, `size`, and, when that is no more than the limit, `markup`.
  static func script(limit: Int) -> String {
    """
    (limit => {
      const inert = document.implementation.createHTMLDocument("");
      let size = 0;
      const copy = node => {
        if (node.nodeType === Node.TEXT_NODE) {
          size += node.data.length;
          return size > limit ? null : inert.createTextNode(node.data);
        }
        if (node.nodeType !== Node.ELEMENT_NODE) return null;
        const name = node.localName;
        if (name === "noscript" || name === "template") return null;
        if (name === "script" && !/json/i.test(node.getAttribute("type") || "")) return null;
        for (const one of node.attributes) size += one.name.length + one.value.length + 4;
        size += 2 * name.length + 5;
        return size > limit ? null : inert.importNode(node, false);
      };
      const children = node => {
        const shown = [];
        for (const child of (node.shadowRoot || node).childNodes) {
          if (child.localName !== "slot" || !child.assignedNodes) { shown.push(child); continue; }
          const assigned = child.assignedNodes({flatten: true});
          for (const one of assigned.length > 0 ? assigned : child.childNodes) shown.push(one);
        }
        return shown;
      };
      const url = location.href, root = document.documentElement;
      if (!root) return {url, size, markup: ""};
      const top = copy(root), work = [[root, top]];
      while (work.length > 0 && size <= limit) {
        const [node, made] = work.pop();
        for (const child of children(node)) {
          const copied = copy(child);
          if (size > limit) break;
          if (!copied) continue;
          made.appendChild(copied);
          if (child.nodeType === Node.ELEMENT_NODE) work.push([child, copied]);
        }
      }
      if (size > limit) return {url, size};
      const markup = "<!DOCTYPE html>\\n" + top.outerHTML;
      return markup.length > limit ? {url, size: markup.length} : {url, size, markup};
    })(\(limit))
    """
  }
}
