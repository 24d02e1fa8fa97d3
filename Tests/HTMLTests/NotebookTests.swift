import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Jupyter notebooks.
@Suite struct NotebookTests {
  private static func document(_ text: String) -> Document {
    Document(bytes: Array(text.utf8), mediaType: "text/plain", url: "https://a.test/n.ipynb")
  }

  private static func leaves(_ document: Document) -> [String] {
    document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
  }

  @Test func `a notebook has its texts, its code and the texts of the results`() {
    let document = Self.document(
      #"""
      {"cells": [
        {"cell_type": "markdown", "source": ["# The *Harbour*\n", "Words & more"]},
        {"cell_type": "code", "source": "a < 1\nb", "outputs": [
          {"output_type": "stream", "name": "stdout", "text": ["\u001b[31mone\u001b[0m\n", "two"]},
          {"output_type": "display_data",
            "data": {"image/png": "iVBO", "text/plain": ["<Figure>"]}},
          {"output_type": "display_data", "data": {"image/png": ["iV\n", "BO\n"]}},
          {"output_type": "display_data", "data": {"text/html": "<b></b>", "a/b<": {}}},
          {"output_type": "error", "ename": "F", "evalue": "no boat", "traceback": []},
          {"output_type": "error", "ename": "E", "traceback": ["line 1", "\u001b[1;31mE\u001b[0m"]}
        ]},
        {"cell_type": "code", "source": [], "outputs": []},
        {"cell_type": "raw", "source": ["raw *text*"]}
      ], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
      """#)
    #expect(document.problems == [])
    #expect(document.title == "The Harbour" && document.notice.isEmpty)
    #expect(
      Self.leaves(document) == [
        "The Harbour", "Words & more", "a < 1\nb", "one\ntwo", "image 1: <Figure>", "image 2",
        "[a/b<, text/html]", "F: no boat", "line 1\nE", "raw *text*",
      ])
    #expect(document.images.count == 2)
    let isCode = document.blocks.map { $0.kind == .preformatted(language: OptionalIndex(0)) }
    #expect(isCode.count { $0 } == 1)
  }

  @Test func `a notebook of version 3 is shown`() {
    let document = Self.document(
      #"""
      {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [
        {"cell_type": "heading", "level": 1, "source": ["Boats"]},
        {"cell_type": "code", "input": ["x"], "outputs": [{"output_type": "pyout", "text": ["7"]}]}
      ]}]}
      """#)
    #expect(Self.leaves(document) == ["Boats", "x", "7"])
  }

  @Test(
    arguments: [
      ("one\r\ntwo\r\n", "one\ntwo\n"), ("10%\r 50%\r100%\ndone", "100%\ndone"),
      ("\r10%\r", "10%"), ("loading\rok", "okading"), ("loading\r\u{1B}[Kok", "ok"),
      ("loading\u{1B}[2K\rok", "ok"), ("1/9\u{8}\u{8}\u{8}2/9", "2/9"), ("\u{8}a", "a"),
      ("\u{1B}[31mred\u{1B}[0m\rRED\nx\u{1B}[1my", "RED\nx\u{1B}[1my"), ("é\rè", "è"),
      ("a\r\u{1B}[", "a"), ("plain", "plain"), ("", ""),
    ] as [(String, String)])
  func `later states of a progress bar replace earlier ones`(_ output: String, _ text: String) {
    #expect(ProgramOutput.finalText(of: output) == text)
  }

  @Test func `a result that is only the name of an object is shown in another format`() {
    let document = Self.document(
      #"""
      {"cells": [{"cell_type": "code", "source": "a", "outputs": [
        {"output_type": "execute_result", "data": {"text/plain": "<a.HTML object>",
          "text/html": ["<script>let a</script><table><tr><td>", "one</td>"]}},
        {"output_type": "execute_result", "data": {"text/plain": "<a.Math object>",
          "text/latex": "$x^2$"}},
        {"output_type": "execute_result", "data": {"text/plain": "<a.Graph at 0x1>",
          "image/svg+xml": "<?xml version='1.0'?><svg><text>two</text></svg>"}},
        {"output_type": "execute_result", "data": {"text/plain": "<a.Chart>",
          "text/html": "<div></div><script>draw()</script>"}},
        {"output_type": "execute_result", "data": {"text/plain": "7 < 8",
          "text/html": "<b>seven</b>"}}
      ]}], "nbformat": 4}
      """#)
    #expect(Self.leaves(document) == ["a", "one", "x²", "two", "<a.Chart>", "7 < 8"])
  }

  @Test(arguments: [
    #""text/plain": "<a.JSON object>", "application/json": {"b": [1, true, null], "a": "x\"\n"}"#,
    #""application/json": {"a": "x\"\n", "b": [1, true, null]}"#,
  ])
  func `a result that is only JSON is shown`(_ data: String) {
    let document = Self.document(
      """
      {"cells": [{"cell_type": "code", "source": "a", "outputs": [
        {"output_type": "execute_result", "data": {\(data)}}]}], "nbformat": 4}
      """)
    let json = JSONFormatter.document(of: Array(#"{"a":"x\"\n","b":[1,true,null]}"#.utf8))
    #expect(Self.leaves(document) == ["a"] + Self.leaves(json))
  }

  @Test func `images that are attached to a text are shown`() {
    let document = Self.document(
      #"""
      {"cells": [{"cell_type": "markdown", "attachments": {
          "low water.png": {"image/png": "iVBORx"}, "b.png": {"image/png": ["iV\n", "BORw"]}},
        "source": ["![One](attachment:low%20water.png)\n\n![Two](attachment:b.png)\n\n",
          "[b](attachment:b.png)\n\n![Three](attachment:c.png)"]
      }], "nbformat": 4}
      """#)
    #expect(document.images.map(\.alternativeText) == ["One", "Two", "Three"])
    #expect(
      document.images.map(\.source) == [
        "data:image/png;base64,iVBORx", "data:image/png;base64,iVBORw", "attachment:c.png",
      ])
  }

  @Test func `an output has only the last state of a progress bar`() {
    let document = Self.document(
      #"""
      {"cells": [{"cell_type": "code", "source": "a", "outputs": [
        {"output_type": "stream", "name": "stderr", "text": ["  0%\r", " 40%\r", "100%\n", "end"]}
      ]}], "nbformat": 4}
      """#)
    #expect(Self.leaves(document) == ["a", "100%\nend"])
  }

  @Test func `consecutive parts of the output to one stream are one text`() {
    let document = Self.document(
      #"""
      {"cells": [{"cell_type": "code", "source": "a", "outputs": [
        {"output_type": "stream", "name": "stderr", "text": "  0%"},
        {"output_type": "stream", "name": "stderr", "text": ["\r100%", "\nend"]},
        {"output_type": "stream", "name": "stdout", "text": "out"},
        {"output_type": "display_data", "data": {"text/plain": "7"}},
        {"output_type": "stream", "name": "stdout", "text": "more"}
      ]}], "nbformat": 4}
      """#)
    #expect(Self.leaves(document) == ["a", "100%\nend", "out", "7", "more"])
  }

  @Test(arguments: [
    #"{"nbformat": 4, "cells": []}"#, #"{"cells": [{"cell_type": "raw", "source": "a"}]}"#,
    #"{"a": "nbformat", "cells": [{}]}"#, #"[{"nbformat": 4}]"#,
  ])
  func `other JSON is shown as such`(_ text: String) {
    let shownText = String(decoding: Self.document(text).plainText, as: UTF8.self)
    #expect(
      shownText.contains("\n") && shownText.contains(text.hasPrefix("[") ? "nbformat" : "cells"))
  }
}
