/// The supported languages. In `linePatterns`, `…` matches any text within a line, and `!` marks a
/// pattern that identifies the language by itself.
extension CodeLanguage {
  static let all: [CodeLanguage] = [
    CodeLanguage(
      "c h objective-c objc objectivec m", slashComments, [doubleQuoted, characterLiteral],
      """
      auto break case char const continue default do double else enum extern float for goto
      if inline int long register restrict return short signed sizeof static struct switch
      typedef union unsigned void volatile while bool true false NULL nil self id @interface
      @implementation @property @end @protocol #include #define #ifdef #ifndef #if #else
      #elif #endif #pragma #undef #import size_t uint8_t uint16_t uint32_t uint64_t int32_t
      int64_t
      """,
      sigils: "#@",
      linePatterns: "!#include <…>|#define …|int main(…|typedef struct …|static int …(…|printf(…);"),
    CodeLanguage(
      "cpp c++ cc cxx hpp cplusplus arduino cuda", slashComments, [doubleQuoted, characterLiteral],
      """
      alignas alignof auto bool break case catch char class concept const consteval constexpr
      continue co_await co_return co_yield decltype default delete do double else enum
      explicit export extern false final float for friend goto if inline int long mutable
      namespace new noexcept nullptr operator override private protected public requires
      return short signed sizeof static static_assert static_cast dynamic_cast const_cast
      reinterpret_cast struct switch template this thread_local throw true try typedef typeid
      typename union unsigned using virtual void volatile while #include #define #ifdef
      #ifndef #if #else #elif #endif #pragma size_t
      """,
      rawString: .cPlusPlus, sigils: "#",
      linePatterns: """
        !#include <iostream>|!#include <vector>|!#include <string>|!using namespace …;|std::…
        template <…|template<…|class …: public …
        """),
    CodeLanguage(
      "csharp c# cs dotnet", slashComments, [doubleQuoted, characterLiteral],
      """
      abstract as async await base bool break byte case catch char checked class const
      continue decimal default delegate do double else enum event explicit extern false
      finally fixed float for foreach get goto if implicit in int interface internal is lock
      long namespace new null object operator out override params private protected public
      readonly record ref return sbyte sealed set short sizeof static string struct switch
      this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void
      volatile when where while yield
      """,
      linePatterns: "!using System…;|namespace …;|Console.WriteLine(…"),
    CodeLanguage(
      "java groovy gradle processing", slashComments,
      [tripleQuoted, doubleQuoted, characterLiteral],
      """
      abstract assert boolean break byte case catch char class const continue default do
      double else enum extends final finally float for goto if implements import instanceof
      int interface long native new null package permits private protected public record
      return sealed short static strictfp super switch synchronized this throw throws
      transient true false try var void volatile while yield def
      """,
      linePatterns: """
        !import java…;|!public static void main(…|public class …{|System.out.print…|@Override
        package …;
        """),
    CodeLanguage(
      "kotlin kt kts", nestingSlashComments, [tripleQuoted, doubleQuoted, characterLiteral],
      """
      abstract as break by catch class companion const constructor continue crossinline data
      do else enum expect external false final finally for fun get if import in infix init
      inline inner interface internal is lateinit noinline null object open operator out
      override package private protected public reified return sealed set super suspend
      tailrec this throw true try typealias val value var vararg when where while
      """,
      linePatterns: "fun …{|!data class …(…|val …=…|!import kotlin…"),
    CodeLanguage(
      "scala sbt sc", nestingSlashComments, [tripleQuoted, doubleQuoted, characterLiteral],
      """
      abstract case catch class def do else enum export extends extension false final finally
      for given if implicit import lazy match new null object override package private
      protected return sealed super then this throw trait true try type using val var while
      with yield
      """,
      linePatterns: "!case class …|!object … extends …|!import scala…|def …= {"),
    CodeLanguage(
      "dart", slashComments, [tripleApostrophe, tripleQuoted, doubleQuoted, singleQuoted],
      """
      abstract as assert async await break case catch class const continue default do dynamic
      else enum export extends extension external factory false final finally for get hide if
      implements import in is late library mixin new null on operator part required rethrow
      return set show static super switch sync this throw true try typedef var void while
      with yield int double bool String
      """,
      linePatterns: "!import 'package:…|!void main() {|"),
    CodeLanguage(
      "swift", nestingSlashComments, [tripleQuoted, doubleQuoted],
      """
      actor any as associatedtype async await borrowing break case catch class consuming
      continue default defer deinit do else enum extension fallthrough false fileprivate
      final for func get guard if import in indirect infix init inout internal is isolated
      lazy let macro mutating nil nonisolated nonmutating open operator optional override
      package postfix precedencegroup prefix private protocol public repeat required rethrows
      return self Self set some static struct subscript super switch throw throws true try
      typealias unowned var weak where while #if #else #elseif #endif #available #expect
      #require @main @State @MainActor @objc @escaping @available @discardableResult
      """,
      rawString: .swift, sigils: "#@",
      linePatterns: """
        !import Foundation|!import SwiftUI|!import UIKit|guard let …|if let …{|func …{
        let … = …|extension …{|!@testable import …|// swift-tools-version…
        """),
    CodeLanguage(
      "go golang", slashComments,
      [doubleQuoted, characterLiteral, StringDelimiters(backtick, escape: nil, spansLines: true)],
      """
      break case chan const continue default defer else fallthrough for func go goto if
      import interface map package range return select struct switch type var true false nil
      iota any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint
      uint8 uint16 uint32 uint64 uintptr
      """,
      linePatterns: "!package main|func …{|if err != nil {|import \"…\"|fmt.Print…|type … struct {"),
    CodeLanguage(
      "rust rs", nestingSlashComments,
      [StringDelimiters(quote, spansLines: true), characterLiteral],
      """
      as async await break const continue crate dyn else enum extern false fn for if impl in
      let loop match mod move mut pub ref return self Self static struct super trait true
      type union unsafe use where while i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
      f32 f64 bool char str
      """,
      rawString: .rust,
      linePatterns: """
        !fn main() {|!let mut …;|pub fn …{|fn …{|impl …{|use …::…;|!println!(…|#[derive(…)]
        """),
    CodeLanguage(
      "zig", lineComments("//"), [doubleQuoted, characterLiteral],
      """
      align allowzero and anyerror anytype asm async await break catch comptime const
      continue defer else enum errdefer error export extern false fn for if inline noalias
      null or orelse packed pub resume return struct suspend switch test threadlocal true try
      undefined union unreachable usingnamespace var void volatile while
      """,
      linePatterns: "!const std = @import(\"std\");|pub fn …!void {"),
    CodeLanguage(
      "javascript js jsx mjs node typescript ts tsx ecmascript vue svelte", slashComments,
      [doubleQuoted, singleQuoted, StringDelimiters(backtick, spansLines: true)],
      """
      abstract any as async await boolean break case catch class const continue debugger
      declare default delete do else enum export extends false finally for from function get
      if implements import in infer instanceof interface is keyof let namespace never new
      null number of private protected public readonly return satisfies set static string
      super switch this throw true try type typeof undefined unknown var void while with
      yield
      """,
      wordBytes: "$",
      linePatterns: """
        !const … = require(…|!console.log(…|function …{|const … = …;|let … = …;|var … = …;
        !import … from '…';|!import … from "…";|!export default …|!document.…;|});|$(…{
        """),
    CodeLanguage(
      "json jsonc json5 webmanifest", slashComments, [doubleQuoted], "true false null",
      traits: .keysAreStrings, linePatterns: "\"…\": …|\"…\",|\"…\": {"),
    CodeLanguage(
      "python py python3 python2 ipython ipython3 pycon py3 cython source-python starlark bazel",
      lineComments("#"), [tripleQuoted, tripleApostrophe, doubleQuoted, singleQuoted],
      """
      and as assert async await break case class continue def del elif else except False
      finally for from global if import in is lambda match None nonlocal not or pass raise
      return self True try while with yield
      """,
      linePatterns: """
        !def …):|!class …:|!elif …:|from … import …|import …|!if __name__ ==…|print(…)|>>> …
        !>>> …(…|for … in …:|#!/usr/bin/env python…|except …:
        """),
    CodeLanguage(
      "ruby rb rails irb", lineComments("#"), [doubleQuoted, singleQuoted],
      """
      alias and begin BEGIN break case class def defined? do else elsif end END ensure false
      for if in module next nil not or redo rescue retry return self super then true undef
      unless until when while yield require require_relative attr_reader attr_writer
      attr_accessor include extend puts raise
      """,
      wordBytes: "?", traits: [.hereDocuments, .commentsAtWordStart],
      linePatterns: """
        !require '…'|!require "…"|end|def …|!puts …|… do |!attr_accessor :…|#!/usr/bin/env ruby
        """),
    CodeLanguage(
      "perl pl pm perl5 raku", lineComments("#"), [doubleQuoted, singleQuoted],
      """
      my our local sub package use no require if elsif else unless while until for foreach do
      return last next redo and or not eq ne lt gt le ge cmp print say die warn undef defined
      shift push pop keys values each map grep sort split join scalar ref bless wantarray
      """,
      traits: [.hereDocuments, .commentsAtWordStart],
      linePatterns: "!use strict;|!use warnings;|!my $…;|!my @…;|!my %…;|#!/usr/bin/perl…"),
    CodeLanguage(
      "php php5 php7",
      CommentDelimiters(lineMarkers: ["//", "#"], blockDelimiters: [BlockComment("/*", "*/")]),
      [doubleQuoted, singleQuoted],
      """
      abstract and array as break callable case catch class clone const continue declare
      default do echo else elseif empty enum extends false final finally fn for foreach
      function global goto if implements include include_once instanceof insteadof interface
      isset list match namespace new null or print private protected public readonly require
      require_once return self static switch throw trait true try unset use var while xor
      yield
      """,
      traits: [.hereDocuments, .tripleAngleHereDocuments, .commentsAtWordStart],
      linePatterns: "!<?php…|!$… = …;|echo …;|!$this->…"),
    CodeLanguage(
      "bash sh shell zsh ksh shellscript shell-script fish source-shell", lineComments("#"),
      [
        StringDelimiters(quote, spansLines: true),
        StringDelimiters(apostrophe, escape: nil, spansLines: true),
      ],
      """
      if then else elif fi for while until do done case esac in function select return exit
      break continue local export readonly declare typeset unset shift source alias eval exec
      set trap cd echo printf read test sudo
      """,
      wordBytes: "-", traits: [.hereDocuments, .commentsAtWordStart],
      linePatterns: """
        !#!/bin/sh…|!#!/bin/bash…|!#!/usr/bin/env bash…|sudo …|apt-get …|!if [ …|!if [[ …|fi
        done|esac|!for … in …; do|git clone …|export …=…|npm install…|pip install…|./configure…
        wget http…|curl -…
        """),
    CodeLanguage(
      "powershell ps1 pwsh posh", lineComments("#"),
      [StringDelimiters(quote, escape: nil), StringDelimiters(apostrophe, escape: nil)],
      """
      begin break catch class continue data do dynamicparam else elseif end enum exit filter
      finally for foreach from function if in param process return switch throw trap try
      until using while
      """,
      multilineDelimiters: [BlockComment("<#", "#>")], wordBytes: "-", traits: .caseInsensitive,
      linePatterns: "!Get-…|!Set-…|!New-Object …|!Write-Host …|!$… = Get-…"),
    CodeLanguage(
      "lua luau", lineComments("--"), [doubleQuoted, singleQuoted],
      """
      and break do else elseif end false for function goto if in local nil not or repeat
      return then true until while
      """,
      multilineDelimiters: [BlockComment("--[[", "]]"), BlockComment("--[=[", "]=]")],
      rawString: .lua,
      linePatterns: "!local function …|!local … = require…|local … = …|end"),
    CodeLanguage(
      "haskell hs purescript elm", lineComments("--"), [doubleQuoted, characterLiteral],
      """
      case class data default deriving do else family forall foreign hiding if import in
      infix infixl infixr instance let module newtype of qualified then type where
      """,
      multilineDelimiters: [BlockComment("{-", "-}", allowsNesting: true)], wordBytes: "'",
      linePatterns: "!module … where|!import qualified …|!main :: IO ()|!… :: … -> …"),
    CodeLanguage(
      "ocaml ml fsharp f# sml reason", noComments, [doubleQuoted, characterLiteral],
      """
      and as assert begin class constraint do done downto else end exception external false
      for fun function functor if in include inherit initializer lazy let match method module
      mutable new object of open or private rec sig struct then to true try type val virtual
      when while with
      """,
      multilineDelimiters: [BlockComment("(*", "*)", allowsNesting: true)], wordBytes: "'",
      linePatterns: "!let rec …|!let () =…"),
    CodeLanguage(
      "elixir ex exs", lineComments("#"), [tripleQuoted, doubleQuoted, singleQuoted],
      """
      after and case catch cond def defp defmodule defmacro defstruct defprotocol defimpl do
      else end false fn for if import in nil not or quote raise receive require rescue true
      try unless unquote use when with alias
      """,
      traits: .commentsAtWordStart, linePatterns: "!defmodule … do|!def … do|!iex>…"),
    CodeLanguage(
      "erlang erl", lineComments("%"), [doubleQuoted],
      """
      after and andalso begin case catch cond div end fun if let not of or orelse receive rem
      try when xor
      """,
      linePatterns: "!-module(…|!-export(…"),
    CodeLanguage(
      """
      lisp clojure clj cljs scheme scm racket rkt elisp emacs-lisp common-lisp commonlisp cl
      source-clojure
      """,
      lineComments(";"), [StringDelimiters(quote, spansLines: true)],
      """
      def defn defmacro defun defvar defparameter defmethod defclass define define-syntax
      lambda let let* letrec if cond case when unless do loop recur fn progn begin setq setf
      set! quote and or not nil true false ns require use import in-package require-macros
      """,
      multilineDelimiters: [BlockComment("#|", "|#", allowsNesting: true)], wordBytes: "-*!?",
      linePatterns: "!(defun …|!(define (…|!(defn …|!(ns …|!(setq …|!(def …|!(let …"),
    CodeLanguage(
      "sql mysql postgresql postgres psql sqlite plsql tsql t-sql pgsql plpgsql source-sql",
      lineComments("--"),
      [
        StringDelimiters(apostrophe, escape: nil, allowsDoubledDelimiter: true, spansLines: true),
        StringDelimiters(quote, escape: nil, allowsDoubledDelimiter: true),
      ],
      """
      add all alter analyze and any as asc begin between by cascade case cast check collate
      column commit constraint create cross database default delete desc distinct drop else
      end except exists explain false foreign from full function grant group having if in
      index inner insert intersect into is join key left like limit not null offset on or
      order outer over partition pragma primary procedure references replace returning revoke
      right rollback select set table then transaction trigger true truncate union unique
      update using values view when where with integer int text varchar char boolean numeric
      real timestamp date
      """,
      multilineDelimiters: [BlockComment("/*", "*/")], traits: .caseInsensitive,
      linePatterns: """
        !SELECT …;|!CREATE TABLE …|!INSERT INTO …|!DELETE FROM …|!ALTER TABLE …|SELECT …|FROM …
        WHERE …|GROUP BY …|ORDER BY …|LEFT JOIN …|INNER JOIN …
        """),
    CodeLanguage(
      "r rlang rscript s", lineComments("#"), [doubleQuoted, singleQuoted],
      """
      if else repeat while function for in next break TRUE FALSE NULL Inf NaN NA library
      require return
      """,
      wordBytes: ".", linePatterns: "!library(…)|!… <- function(…"),
    CodeLanguage(
      "julia jl", lineComments("#"), [tripleQuoted, doubleQuoted, characterLiteral],
      """
      abstract baremodule begin break catch const continue do else elseif end export false
      finally for function global if import in let local macro module mutable quote return
      struct true try type using where while
      """,
      multilineDelimiters: [BlockComment("#=", "=#", allowsNesting: true)],
      linePatterns: "!julia>…|!using LinearAlgebra"),
    CodeLanguage(
      "css", noComments, [doubleQuoted, singleQuoted],
      """
      @media @import @font-face @keyframes @supports @charset @layer @page @container
      @property !important
      """,
      multilineDelimiters: [BlockComment("/*", "*/")], sigils: "@!", wordBytes: "-",
      linePatterns: """
        !@media …{|color: …;|margin: …;|padding: …;|display: …;|font-size: …;|background: …;
        width: …;
        """),
    CodeLanguage(
      "scss sass less stylus", lineComments("//"), [doubleQuoted, singleQuoted],
      """
      @media @import @font-face @keyframes @supports @mixin @include @extend @if @else @for
      @each @while @function @return @use @forward !important !default
      """,
      multilineDelimiters: [BlockComment("/*", "*/")], sigils: "@!", wordBytes: "-",
      linePatterns: "!@mixin …|!@include …;"),
    CodeLanguage(
      """
      html xml svg xhtml markup htm text-html-basic text-xml html5 rss atom xslt xsd plist
      mathml html+erb django jinja jinja2 handlebars twig erb
      """,
      noComments,
      [
        StringDelimiters(quote, escape: nil, spansLines: true),
        StringDelimiters(apostrophe, escape: nil, spansLines: true),
      ], "",
      multilineDelimiters: [BlockComment("<!--", "-->"), BlockComment("<![CDATA[", "]]>")],
      wordBytes: "-", traits: .markup,
      linePatterns: """
        !<!DOCTYPE…>|!<?xml…|!<html…>|!<head>|!<div…>|!<script…>|!<body…>|<a …>|</…>|<…/>
        """),
    CodeLanguage(
      "yaml yml", lineComments("#"),
      [doubleQuoted, StringDelimiters(apostrophe, escape: nil, allowsDoubledDelimiter: true)],
      "true false null yes no on off True False Null",
      keyEnd: ":", traits: .commentsAtWordStart, linePatterns: ""),
    CodeLanguage(
      "toml", lineComments("#"),
      [tripleQuoted, tripleApostrophe, doubleQuoted, StringDelimiters(apostrophe, escape: nil)],
      "true false", keyEnd: "=", linePatterns: ""),
    CodeLanguage(
      """
      ini cfg conf properties dosini systemd desktop editorconfig gitconfig nginx apache
      apacheconf
      """,
      CommentDelimiters(lineMarkers: ["#", ";"]), [doubleQuoted], "true false yes no on off",
      keyEnd: "=",
      traits: .commentsAtWordStart, linePatterns: "!ExecStart=…|!WantedBy=…"),
    CodeLanguage(
      "makefile make mk gnumakefile", lineComments("#"), [],
      "ifeq ifneq ifdef ifndef else endif include define endef export override .PHONY",
      sigils: ".", traits: .commentsAtWordStart, linePatterns: "!.PHONY: …"),
    CodeLanguage(
      "cmake", lineComments("#"), [StringDelimiters(quote, spansLines: true)],
      """
      if elseif else endif foreach endforeach while endwhile function endfunction macro
      endmacro set unset project include add_executable add_library find_package option
      message install
      """,
      traits: .caseInsensitive, linePatterns: "!cmake_minimum_required(…|!add_executable(…"),
    CodeLanguage(
      "dockerfile docker containerfile", lineComments("#"), [doubleQuoted, singleQuoted],
      """
      FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD
      STOPSIGNAL HEALTHCHECK SHELL AS
      """,
      traits: .commentsAtWordStart, linePatterns: "!WORKDIR /…|!FROM …:…|!ENTRYPOINT […"),
    CodeLanguage(
      "nix", lineComments("#"),
      [
        StringDelimiters(quote, spansLines: true),
        StringDelimiters("''", escape: nil, spansLines: true),
      ],
      "assert else if in inherit let or rec then with true false null import",
      multilineDelimiters: [BlockComment("/*", "*/")],
      wordBytes: "-'", traits: .commentsAtWordStart, linePatterns: ""),
    CodeLanguage(
      "diff patch udiff", noComments, [], "",
      lineDelimiters: [
        ("diff ", .comment), ("index ", .comment), ("--- ", .comment), ("+++ ", .comment),
        ("@@", .number), ("+", .string), ("-", .keyword),
      ], linePatterns: "!diff --git …|!@@ -…"),
    CodeLanguage(
      "latex tex bibtex", lineComments("%"), [],
      """
      \\begin \\end \\documentclass \\usepackage \\section \\subsection \\newcommand \\item
      \\label \\ref \\cite \\textbf \\emph \\frac
      """,
      sigils: "\\", linePatterns: "!\\documentclass…|!\\begin{…}|!\\usepackage…"),
    CodeLanguage(
      "fortran f90 f95", lineComments("!"),
      [StringDelimiters(quote, escape: nil), StringDelimiters(apostrophe, escape: nil)],
      """
      program module subroutine function end if then else elseif do while return call use
      implicit none integer real logical character contains type parameter allocate intent
      dimension print write
      """,
      traits: .caseInsensitive, linePatterns: "!implicit none|!end subroutine…"),
  ]

  private static let quote = "\""
  private static let apostrophe = "'"
  private static let backtick = "`"
  private static let doubleQuoted = StringDelimiters(quote)
  private static let singleQuoted = StringDelimiters(apostrophe)
  private static let tripleQuoted = StringDelimiters("\"\"\"", spansLines: true)
  private static let tripleApostrophe = StringDelimiters("'''", spansLines: true)
  private static let characterLiteral = StringDelimiters(apostrophe, isCharacter: true)
  private static let noComments = CommentDelimiters()
  private static let slashComments = CommentDelimiters(
    lineMarkers: ["//"], blockDelimiters: [BlockComment("/*", "*/")])
  private static let nestingSlashComments = CommentDelimiters(
    lineMarkers: ["//"], blockDelimiters: [BlockComment("/*", "*/", allowsNesting: true)])
}

extension CodeLanguage {
  /// The comment delimiters of a language.
  fileprivate struct CommentDelimiters {
    var lineMarkers: [String] = []
    var blockDelimiters: [BlockComment] = []
  }

  fileprivate static func lineComments(_ marker: String) -> CommentDelimiters {
    CommentDelimiters(lineMarkers: [marker])
  }

  fileprivate init(
    _ names: String, _ comments: CommentDelimiters, _ strings: [StringDelimiters],
    _ keywords: String,
    multilineDelimiters: [BlockComment] = [], rawString: RawString? = nil, sigils: String = "",
    wordBytes: String = "",
    lineDelimiters: [(String, CodeLexer.Token.Kind)] = [], keyEnd: Character? = nil,
    traits: Traits = [],
    linePatterns: String = ""
  ) {
    self.names = names.split(whereSeparator: \.isWhitespace).map(String.init)
    lexicalRules = LexicalRules(
      lineComments: comments.lineMarkers.map { Array($0.utf8) },
      blocks: comments.blockDelimiters + multilineDelimiters,
      strings: strings, rawString: rawString,
      keywords: keywords.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) },
      sigils: Array(sigils.utf8), wordBytes: Array(wordBytes.utf8),
      lineDelimiters: lineDelimiters.map { (Array($0.0.utf8), $0.1) },
      keyDelimiter: keyEnd?.asciiValue,
      traits: traits)
    self.linePatterns = linePatterns.split { $0 == "|" || $0.isNewline }.map(LinePattern.init)
  }
}

extension CodeLanguage.BlockComment {
  fileprivate init(_ open: String, _ close: String, allowsNesting: Bool = false) {
    self.init(open: Array(open.utf8), close: Array(close.utf8), allowsNesting: allowsNesting)
  }
}

extension CodeLanguage.StringDelimiters {
  fileprivate init(
    _ marker: String, escape: Character? = "\\", allowsDoubledDelimiter: Bool = false,
    spansLines: Bool = false,
    isCharacter: Bool = false
  ) {
    self.init(
      open: Array(marker.utf8), close: Array(marker.utf8), escape: escape?.asciiValue,
      spansLines: spansLines, allowsDoubledDelimiter: allowsDoubledDelimiter,
      isCharacter: isCharacter)
  }
}

extension CodeLanguage.LinePattern {
  fileprivate init(_ text: Substring) {
    isSufficient = text.first == "!"
    let parts = text.drop { $0 == "!" }.split(
      separator: "…", omittingEmptySubsequences: false)
    prefix = Array((parts.first ?? "").utf8)
    middle = Array((parts.count > 2 ? parts[1] : "").utf8)
    suffix = Array((parts.count > 1 ? parts[parts.count - 1] : "").utf8)
    isWholeLine = parts.count == 1
  }
}
