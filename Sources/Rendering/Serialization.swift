import Pages
import DOM

/// The scripts that serialize a document after its own scripts have run.
enum Serialization {
  /// The function that serializes a document. It runs in an isolated world, where the page cannot
  /// have replaced anything.
  ///
  /// The flattened content of shadow trees replaces the children of their hosts. Same-origin frames
  /// become sections: at most 20, at most three levels deep and two million characters in total.
  /// Scripts (except JSON data) and `noscript` and `template` elements are omitted. Style sheets
  /// that apply only to a part of the document are omitted as well; the elements that they hide get
  /// the `hidden` attribute.
  ///
  /// Its arguments are the maximum number of characters and the closed shadow roots, each as an
  /// object. It returns `url`, `size` and, if the size is within the limit, `markup`.
  static let function = """
    function (limit, ...roots) {
      // An element that is named like a member of its form or document hides that member from
      // scripts, so the members are read by the accessors of the prototypes.
      const own = (type, name) => {
        const {get} = Object.getOwnPropertyDescriptor(type.prototype, name);
        return node => get.call(node);
      };
      const nodeType = own(Node, "nodeType"), childNodes = own(Node, "childNodes");
      const localName = own(Element, "localName"), attributesOf = own(Element, "attributes");
      const shadowRoot = own(Element, "shadowRoot");
      const documentElement = own(Document, "documentElement"), body = own(Document, "body");
      const isElement = node => nodeType(node) === Node.ELEMENT_NODE;
      const closed = new Map(roots.map(root => [root.host, root]));
      const inert = own(Document, "implementation")(document).createHTMLDocument("");
      const deepest = 3, most = 20, framedLimit = 2e6;
      let size = 0, framed = 0, frames = 0;
      const attributes = (node, made, names) => {
        for (const name of names) {
          if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
        }
      };
      // Returns the body of the document in a frame; null if it is invisible or of another site.
      const content = (node, depth) => {
        if (localName(node) !== "iframe" && localName(node) !== "frame") return null;
        if (depth >= deepest || frames >= most) return null;
        const box = node.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) return null;
        const inner = node.contentDocument;
        return inner && (body(inner) || documentElement(inner));
      };
      const isHidden = node => {
        try {
          return node.ownerDocument.defaultView.getComputedStyle(node).display === "none";
        } catch { return false; }
      };
      const absolute = (node, made) => {
        for (const name of ["href", "src", "action", "poster", "cite", "data"]) {
          const value = made.getAttribute(name);
          if (value === null || value.startsWith("#")) continue;
          try { made.setAttribute(name, new URL(value, node.baseURI).href); } catch {}
        }
        if (made.hasAttribute("src")) made.removeAttribute("srcset");
      };
      const copy = (node, place) => {
        const before = size;
        const made = measured(node, place);
        if (place.depth > 0) framed += size - before;
        return made;
      };
      const measured = (node, place) => {
        if (nodeType(node) === Node.TEXT_NODE) {
          size += node.data.length;
          return size > limit ? null : inert.createTextNode(node.data);
        }
        if (!isElement(node)) return null;
        const name = localName(node);
        if (name === "noscript" || name === "template") return null;
        if (name === "script" && !/json/i.test(node.getAttribute("type") || "")) return null;
        if (place.isPart && (name === "style" || name === "link")) return null;
        for (const one of attributesOf(node)) size += one.name.length + one.value.length + 4;
        size += 2 * name.length + 5;
        if (size > limit) return null;
        let made;
        if (place.content) {
          made = inert.createElement("section");
          attributes(node, made, ["id", "class", "style", "hidden", "lang", "dir"]);
        } else if (name === "frameset") {
          made = inert.createElement("body");
        } else {
          made = inert.importNode(node, false);
          made.removeAttribute("srcdoc");
        }
        if (place.depth > 0 && !place.content) absolute(node, made);
        if (place.isPart && isHidden(node)) made.setAttribute("hidden", "");
        return made;
      };
      const children = (node, content) => {
        const shown = [];
        const parent = content || shadowRoot(node) || closed.get(node) || node;
        for (const child of childNodes(parent)) {
          const isSlot = isElement(child) && localName(child) === "slot" && child.assignedNodes;
          if (!isSlot) { shown.push(child); continue; }
          const assigned = child.assignedNodes({flatten: true});
          for (const one of assigned.length > 0 ? assigned : childNodes(child)) shown.push(one);
        }
        return shown;
      };
      const url = location.href, root = documentElement(document);
      if (!root) return {url, size, markup: ""};
      const top = copy(root, {depth: 0, isPart: false, content: null});
      // Nodes are copied in document order, so that only the end of the text is cut at the limit.
      const work = [{list: children(root, null), next: 0, made: top, depth: 0}];
      while (work.length > 0 && size <= limit) {
        const place = work[work.length - 1], depth = place.depth;
        if (place.next >= place.list.length || depth > 0 && framed > framedLimit) {
          work.pop();
          continue;
        }
        const child = place.list[place.next++];
        const shown = isElement(child) ? content(child, depth) : null;
        const isPart = depth > 0 || Node.prototype.getRootNode.call(child) !== document;
        const copied = copy(child, {depth, isPart, content: shown});
        if (!copied) continue;
        place.made.appendChild(copied);
        if (shown) frames += 1;
        if (!isElement(child)) continue;
        const list = children(child, shown);
        work.push({list, next: 0, made: copied, depth: depth + (shown ? 1 : 0)});
      }
      if (size > limit) return {url, size};
      const markup = "<!DOCTYPE html>\\n" + top.outerHTML;
      return markup.length > limit ? {url, size: markup.length} : {url, size, markup};
    }
    """

  /// An expression that returns the document, or null if the document and its frames have too many
  /// elements to inspect individually: the browser would report them in messages many times as
  /// large as the document.
  static let document = """
    (() => {
      let count = 0;
      const work = [document];
      try {
        while (work.length > 0 && count <= \(maxElements)) {
          const inner = work.pop();
          count += Document.prototype.getElementsByTagName.call(inner, "*").length;
          for (const one of Document.prototype.querySelectorAll.call(inner, "iframe, frame")) {
            if (one.contentDocument) work.push(one.contentDocument);
          }
        }
      } catch { return null; }
      return count <= \(maxElements) ? document : null;
    })()
    """
  private static let maxElements = 30_000

  /// Returns whether a document may have closed shadow roots, judged by its markup, which includes
  /// all shadow roots.
  static func mayHaveClosedRoots(_ markup: String) -> Bool {
    // The markup of a page does not include the shadow roots of its frames.
    guard markup.utf8.count <= maxWithClosedRootsLength else { return false }
    return ["shadowrootmode=\"closed\"", "<iframe", "<frame"].contains { markup.contains($0) }
  }

  /// Maximum length of the markup of a document whose nodes are inspected, in bytes.
  private static let maxWithClosedRootsLength = 4_000_000
  /// Maximum number of closed shadow roots.
  private static let maxClosedRoots = 2000

  /// Returns the closed shadow roots of a document and its frames.
  /// - Parameter root: the document, as returned by `DOM.getDocument`.
  /// - Returns: their `backendNodeId` values.
  static func closedRoots(of root: JSONValue) -> [JSONValue] {
    var found: [JSONValue] = []
    var work = [root]
    while let node = work.popLast(), found.count < maxClosedRoots {
      if node["shadowRootType"]?.string == "closed", let id = node["backendNodeId"] {
        found.append(id)
      }
      for name in ["children", "shadowRoots"] { work += node[name]?.array ?? [] }
      if let document = node["contentDocument"] { work.append(document) }
    }
    return found
  }
}
