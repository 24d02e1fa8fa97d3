import DOM
import OfflineCache

/// The commands that render a page.
extension DevToolsCommand {
  static let gettingVersion = DevToolsCommand("Browser.getVersion")
  static let refusingDownloads = DevToolsCommand(
    "Browser.setDownloadBehavior", ["behavior": .string("deny")])
  static let creatingTab = DevToolsCommand(
    "Target.createTarget", ["url": .string("about:blank")])

  static func attaching(to target: String) -> DevToolsCommand {
    DevToolsCommand(
      "Target.attachToTarget", ["targetId": .string(target), "flatten": .bool(true)])
  }

  static func closing(_ target: String) -> DevToolsCommand {
    DevToolsCommand("Target.closeTarget", ["targetId": .string(target)])
  }

  /// Returns the command that sets the size of the viewport. It is high, so that content that is
  /// loaded when it becomes visible is loaded.
  static func settingViewport(in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(1280), "height": .number(4096), "deviceScaleFactor": .number(1),
        "mobile": .bool(false),
      ], to: session)
  }

  static func interceptingRequests(in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Fetch.enable", ["patterns": .array([.object(["urlPattern": .string("*")])])], to: session)
  }

  static func enablingPageEvents(in session: String?) -> DevToolsCommand {
    DevToolsCommand("Page.enable", to: session)
  }

  /// Returns the command that attaches to frames and workers, which wait until they are prepared.
  static func attachingAutomatically(in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Target.setAutoAttach",
      [
        "autoAttach": .bool(true), "waitForDebuggerOnStart": .bool(true), "flatten": .bool(true),
      ], to: session)
  }

  static func runningIfWaiting(in session: String?) -> DevToolsCommand {
    DevToolsCommand("Runtime.runIfWaitingForDebugger", to: session)
  }

  static func navigating(to url: WebURL, in session: String?) -> DevToolsCommand {
    DevToolsCommand("Page.navigate", ["url": .string(url.description)], to: session)
  }

  static func dismissingDialog(in session: String?) -> DevToolsCommand {
    DevToolsCommand("Page.handleJavaScriptDialog", ["accept": .bool(false)], to: session)
  }

  /// Returns the command that creates an isolated world in the frame of the page.
  static func creatingWorld(in frame: String, _ session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Page.createIsolatedWorld",
      ["frameId": .string(frame), "worldName": .string("offread")], to: session)
  }

  /// Returns the command that creates an object for the document.
  static func gettingDocument(from context: JSONValue, _ session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "Runtime.evaluate",
      ["expression": .string(Serialization.document), "contextId": context], to: session)
  }

  static func gettingMarkup(ofObject id: JSONValue, _ session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "DOM.getOuterHTML", ["objectId": id, "includeShadowDOM": .bool(true)], to: session)
  }

  static func gettingNodes(in session: String?) -> DevToolsCommand {
    DevToolsCommand(
      "DOM.getDocument", ["depth": .number(-1), "pierce": .bool(true)], to: session)
  }

  /// Returns the command that creates an object of a world for a node.
  static func resolving(
    _ node: JSONValue, in context: JSONValue, _ session: String?
  ) -> DevToolsCommand {
    DevToolsCommand(
      "DOM.resolveNode", ["backendNodeId": node, "executionContextId": context], to: session)
  }

  /// Returns the command that serializes the document.
  /// - Parameters:
  ///   - context: the isolated world.
  ///   - shadowRoots: the closed shadow roots, as objects of the world.
  ///   - maxLength: the maximum length of the result, in UTF-16 code units.
  ///   - session: the session of the tab.
  /// - Returns: the command.
  static func serializing(
    in context: JSONValue, _ shadowRoots: [JSONValue], maxLength: Int, _ session: String?
  ) -> DevToolsCommand {
    DevToolsCommand(
      "Runtime.callFunctionOn",
      [
        "functionDeclaration": .string(Serialization.function),
        "executionContextId": context, "returnByValue": .bool(true),
        "arguments": .array([.object(["value": .number(Double(maxLength))])] + shadowRoots),
      ], to: session)
  }
}
