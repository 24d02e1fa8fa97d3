import TestSupport
import Testing

@testable import Document

/// Code and its tokens for syntax highlighting.
@Suite struct CodeLexerTests {
  private func tokens(_ code: [UInt8], _ language: CodeLanguage) -> [CodeLexer.Token] {
    var lexer = CodeLexer(language, 0..<code.count)
    var tokens: [CodeLexer.Token] = []
    while let token = lexer.next(in: code) { tokens.append(token) }
    return tokens
  }

  /// `c:` comment, `s:` string, `n:` number, `k:` keyword, joined by bars.
  private func colouring(_ code: String, _ name: String) throws -> String {
    let bytes = Array(code.utf8)
    return tokens(bytes, try #require(CodeLanguage.named(name))).map {
      let marker =
        switch $0.kind {
        case .comment: "c:"
        case .string: "s:"
        case .number: "n:"
        case .keyword: "k:"
        }
      return marker + String(decoding: bytes[$0.range], as: UTF8.self)
    }.joined(separator: " | ")
  }

  @Test(
    arguments: [
      ("swift", "let a = 12 // so", "k:let | n:12 | c:// so"),
      ("swift", ##"f("a\"b", #"c"d"#)"##, ##"s:"a\"b" | s:#"c"d"#"##),
      ("swift", "/* a /* b */ c */ if", "c:/* a /* b */ c */ | k:if"),
      ("swift", "\"\"\"\n1\n\"\"\" 2", "s:\"\"\"\n1\n\"\"\" | n:2"),
      ("swift", "0x1F + 1.5e-3 + a1 + 0..<5", "n:0x1F | n:1.5e-3 | n:0 | n:5"),
      ("c", "#include <a.h>\nchar c = '\\n';", "k:#include | k:char | s:'\\n'"),
      ("c", "/* a /* b */ int", "c:/* a /* b */ | k:int"),
      ("cpp", "R\"x(a)\")x\" 1", "s:R\"x(a)\")x\" | n:1"),
      ("rust", "fn f<'a>(x: &'a str) { 'b' }", "k:fn | k:str | s:'b'"),
      ("rust", "r#\"a\"b\"# 1", "s:r#\"a\"b\"# | n:1"),
      ("python", "def f(): # a\n  return '''x\ny'''", "k:def | c:# a | k:return | s:'''x\ny'''"),
      ("sh", "echo $# \"a # b\" # c", "k:echo | s:\"a # b\" | c:# c"),
      ("bash", "cat <<EOF\nif 1\nEOF\nfi", "s:if 1\nEOF | k:fi"),
      ("bash", "cat <<EOF\nif", "k:if"),
      ("lua", "--[[ a\nb ]] x = [==[ ]] ]==]", "c:--[[ a\nb ]] | s:[==[ ]] ]==]"),
      ("sql", "select 'it''s' -- a", "k:select | s:'it''s' | c:-- a"),
      ("SQL", "Select 1", "k:Select | n:1"),
      ("json", "{\"a\": \"b\", \"c\": [1, true]}", "k:\"a\" | s:\"b\" | k:\"c\" | n:1 | k:true"),
      ("yaml", "- a-b: 'c' # d\n  e: 1", "k:a-b | s:'c' | c:# d | k:e | n:1"),
      ("html", "<!-- a --><p class=\"b\">if 1</p>", "c:<!-- a --> | k:<p | s:\"b\" | k:</p"),
      ("diff", "@@ 1\n-a\n+b\n c", "n:@@ 1 | k:-a | s:+b"),
      ("css", "/* a */ @media { b: 1px \"c\" }", "c:/* a */ | k:@media | n:1px | s:\"c\""),
      ("js", "`a\n${b}` + 'c'", "s:`a\n${b}` | s:'c'"),
      ("haskell", "f' x = {- a {- b -} -} 'c'", "c:{- a {- b -} -} | s:'c'"),
      // Unterminated tokens end with their line or are ignored.
      ("swift", "\"abc\nlet", "s:\"abc | k:let"),
      ("swift", "/* abc\nlet", "c:/* abc | k:let"),
      ("python", "'''abc\nif '''d'''", "s:'''abc\nif ''' | s:'''"),
      ("js", "`abc\nlet `\nif `c\nlet", "s:`abc\nlet ` | k:if | s:`c | k:let"),
    ] as [(String, String, String)])
  func `code is split into tokens`(_ language: String, _ code: String, _ expected: String) throws {
    #expect(try colouring(code, language) == expected)
  }

  @Test(
    arguments: [
      ("def a(b):\n    return b\n", "python"), ("#include <stdio.h>\nint main(void)\n", "c"),
      ("package main\n\nfunc main() {\n}\n", "go"),
      ("fn main() {\n    println!(\"a\");\n}\n", "rust"),
      ("#!/bin/sh\necho a\n", "sh"), ("<?xml version=\"1.0\"?>\n<a/>\n", "xml"),
      ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "json"), ("SELECT a\nFROM b\nWHERE c\n", "sql"),
      ("@@ -1 +1 @@\n-a\n+b\n", "diff"), ("import Foundation\n\nlet a = 1\n", "swift"),
      // Ambiguous, or not code.
      ("import a\n", ""), ("Dear reader,\n\nimport what you like.\n", ""), ("", ""),
      ("a  b  c\n1  2  3\n", ""),
      ("  +---+\n  | a |\n  +---+\n", ""), ("if you want\nfor all of us in doubt:\n", ""),
    ] as [(String, String)])
  func `a language is detected from the shape of its lines, or not at all`(
    _ code: String, _ name: String
  ) {
    let bytes = Array(code.utf8)
    let language = CodeLanguage.detect(of: bytes, 0..<bytes.count)
    #expect(language?.names.first == CodeLanguage.named(name)?.names.first)
  }

  @Test func `no two languages share a name`() {
    let names = CodeLanguage.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(CodeLanguage.all.count >= 25)
    for language in CodeLanguage.all {
      #expect(language.lexicalRules.syntaxes.count <= LexicalRules.maxSyntaxes, "\(language.names)")
    }
  }

  @Test func `any bytes are split into ordered tokens, in every language`() {
    var random = SplitMix64(seed: 7)
    let pieces = [
      "\"", "'", "`", "/*", "*/", "//", "#", "\\", "\n", "<<A", "\nA\n", "r#\"", "R\"(", "[[", "]]",
      "{-",
      "(*", "<a ", ">", "0x", "1e-", "if", "é", "\u{0}", "-", "=", ":", "\"\"\"", "<!--", "#\"",
      " ", "\t",
    ].map { Array($0.utf8) }
    for language in CodeLanguage.all {
      for _ in 0..<Effort.some(Array(0..<200), part: 10).count {
        var code: [UInt8] = []
        for _ in 0..<60 {
          if random.next() % 8 == 0 {
            code.append(UInt8(truncatingIfNeeded: random.next()))
          } else {
            code += pieces[Int(random.next() % UInt64(pieces.count))]
          }
        }
        var end = 0
        for token in tokens(code, language) {
          #expect(token.range.lowerBound >= end && token.range.upperBound <= code.count)
          #expect(!token.range.isEmpty)
          end = token.range.upperBound
        }
      }
    }
  }

  @Test func `unterminated tokens are scanned only a few times`() {
    let markers = [
      "\"", "'", "/*", "`", "<<A\n", "r#\"", "[[", "\\\"", "'''", "<a ", "{-", "R\"a(", "if", "\n",
      "#\"", "<!--", "[=[", "\"\"\"", "(*", "a:", "- a ", "<<<A\n",
    ]
    for language in CodeLanguage.all {
      for marker in markers {
        for ending in [" ", "\n"] {
          let code = Array(String(repeating: marker + ending, count: 2000).utf8)
          var lexer = CodeLexer(language, 0..<code.count)
          while lexer.next(in: code) != nil {}
          // Each form fails to match at most once, and a language has only a few forms.
          #expect(lexer.examinedCount <= 8 * code.count, "\(language.names[0]), \(marker)")
        }
      }
    }
  }

  @Test func `words are compared with keywords by all their letters`() throws {
    let swift = try #require(CodeLanguage.named("swift")).lexicalRules.keywords
    let fortran = try #require(CodeLanguage.named("fortran")).lexicalRules.keywords
    func holds(_ keywords: KeywordTable, _ word: String) -> Bool {
      Array(word.utf8).withUnsafeBufferPointer { keywords.contains(0..<$0.count, in: $0) }
    }
    for word in ["func", "let", "associatedtype", "@escaping"] { #expect(holds(swift, word)) }
    for word in ["fun", "funk", "lett", "Func", "l", "aVeryLongNameOfSomething", "\u{0}"] {
      #expect(!holds(swift, word))
    }
    for word in ["subroutine", "SUBROUTINE", "End"] { #expect(holds(fortran, word)) }
  }
}
