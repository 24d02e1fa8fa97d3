/// Unicode equivalents of TeX commands.
enum TeXSymbols {
  /// Letters and symbols without spaces around them.
  static let ordinarySymbols = parseTable(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ
    lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ
    varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ
    Omega Ω infty ∞ partial ∂ nabla ∇ hbar ℏ ell ℓ Re ℜ Im ℑ wp ℘ aleph ℵ imath ı jmath ȷ emptyset ∅
    varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ triangle △ square □ Box □
    prime ′ dagger † ddagger ‡ ldots … dots … cdots ⋯ dotsc … dotsb ⋯ vdots ⋮ ddots ⋱ degree ° circ ∘
    pm ± mp ∓ times × div ÷ cdot · ast ∗ star ⋆ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ cap ∩ cup ∪
    sqcap ⊓ sqcup ⊔ wedge ∧ land ∧ vee ∨ lor ∨ setminus ∖ backslash ∖ wr ≀ ltimes ⋉ rtimes ⋊
    langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace } { { } } lbrack [ rbrack ]
    vert | lvert | rvert | Vert ‖ lVert ‖ rVert ‖ | ‖ mid | % % $ $ # # & & _ _ colon :
    flat ♭ sharp ♯ natural ♮ checkmark ✓ S § complement ∁ surd √ blacksquare ■ clubsuit ♣ heartsuit ♡
    """)
  /// Relations and arrows, with spaces around them.
  static let relations = parseTable(
    """
    le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ lt < gt > approx ≈ equiv ≡ cong ≅ sim ∼ simeq ≃
    propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ succeq ⪰ in ∈ ni ∋ notin ∉ subset ⊂ supset ⊃ subseteq ⊆
    supseteq ⊇ subsetneq ⊊ supsetneq ⊋ sqsubseteq ⊑ parallel ∥ perp ⊥ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨
    asymp ≍ doteq ≐ triangleq ≜ coloneqq ≔ nmid ∤ to → rightarrow → leftarrow ← gets ← leftrightarrow ↔
    Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longmapsto ⟼
    longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ hookrightarrow ↪ uparrow ↑ downarrow ↓
    updownarrow ↕ nearrow ↗ searrow ↘ rightharpoonup ⇀ rightleftharpoons ⇌ leadsto ⇝ therefore ∴ because ∵
    longleftrightarrow ⟷ Longleftarrow ⟸ Longleftrightarrow ⟺ hookleftarrow ↩ twoheadrightarrow ↠
    rightsquigarrow ⇝ lesssim ≲ gtrsim ≳ preccurlyeq ≼ succcurlyeq ≽ sqsupseteq ⊒ trianglelefteq ⊴ bowtie ⋈
    smile ⌣ frown ⌢ Vdash ⊩ nsubseteq ⊈ subseteqq ⊆ colonequals ≔ lll ⋘ ggg ⋙ approxeq ≊ varpropto ∝
    """)
  /// Returns whether a character is a relation or an arrow.
  static func isRelation(_ character: Character?) -> Bool {
    character.map { relationCharacters.contains($0) } ?? false
  }

  private static let relationCharacters: Set<Character> = relations.values
    .reduce(into: ["=", "<", ">"]) { $0.formUnion($1) }
  /// Relations with a stroke, by the relation; others get a combining mark.
  static let negatedRelations = parseTable("= ≠ ∈ ∉ ⊂ ⊄ ⊆ ⊈ ≡ ≢ ∼ ≁ ∣ ∤ < ≮ > ≯ ≤ ≰ ≥ ≱ ⇒ ⇏ ∥ ∦")
  /// Large operators such as sums.
  static let largeOperators = parseTable(
    "sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigvee ⋁ "
      + "bigwedge ⋀ bigsqcup ⨆")
  /// Named functions, which are written as the name.
  static let functionNames = parseNames(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max "
      + "min sup inf det dim ker deg gcd hom arg Pr bmod mod")
  static let spaceCommands = parseNames("quad qquad , ; : > ~ space thinspace")
  /// Commands that only affect the appearance.
  static let ignoredCommands = parseNames(
    "displaystyle textstyle scriptstyle scriptscriptstyle ! / limits nolimits mathstrut strut nonumber "
      + "notag negthinspace mathopen mathclose mathord mathbin mathrel hline hfill allowbreak bf it sf tt cal "
      + "tiny small large Large LARGE huge Huge")
  /// Commands that are left out with their argument.
  static let ignoredArguments = parseNames("label vspace vphantom color require")
  /// Combining marks, which follow their letters.
  static let accents = parseTable(
    "hat \u{302} widehat \u{302} tilde \u{303} widetilde \u{303} bar \u{304} overline \u{305} vec \u{20D7} "
      + "overrightarrow \u{20D7} dot \u{307} ddot \u{308} acute \u{301} grave \u{300} check \u{30C} "
      + "breve \u{306} mathring \u{30A} underline \u{332}")
  /// Marks that join when they are on adjacent letters.
  static let joiningMarks = ["\u{305}", "\u{332}"]
  /// Vulgar fractions in Unicode.
  static let fractions = parseTable(
    "1/2 ½ 1/3 ⅓ 2/3 ⅔ 1/4 ¼ 3/4 ¾ 1/5 ⅕ 2/5 ⅖ 3/5 ⅗ 4/5 ⅘ 1/6 ⅙ 5/6 ⅚ 1/8 ⅛ 3/8 ⅜ 5/8 ⅝ 7/8 ⅞")
  /// The text before and after the rows of an environment.
  static let environmentDelimiters: [String: (String, String)] = [
    "matrix": ("[", "]"), "smallmatrix": ("[", "]"), "bmatrix": ("[", "]"), "pmatrix": ("(", ")"),
    "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"), "Bmatrix": ("{", "}"), "cases": ("{", "}"),
    "array": ("[", "]"), "aligned": ("", ""), "align": ("", ""), "align*": ("", ""),
    "split": ("", ""), "alignat": ("", ""), "gathered": ("", ""), "gather": ("", ""),
    "gather*": ("", ""), "equation": ("", ""), "equation*": ("", ""), "displaymath": ("", ""),
    "math": ("", ""), "eqnarray": ("", ""), "eqnarray*": ("", ""), "multline": ("", ""),
    "multline*": ("", ""), "alignat*": ("", ""), "alignedat": ("", ""), "flalign": ("", ""),
    "flalign*": ("", ""), "dcases": ("{", "}"), "rcases": ("{", "}"), "subequations": ("", ""),
  ]

  /// A mathematical alphabet of Unicode.
  struct Alphabet {
    var capitalStart: UInt32
    var smallStart: UInt32
    var digitStart: UInt32?
    /// The letters that are not in the contiguous range because Unicode encoded them earlier.
    var exceptions: [Character: Character] = [:]

    func map(_ text: String) -> String {
      String(
        text.map { character in
          if let letter = exceptions[character] { return letter }
          guard let byte = character.asciiValue else { return character }
          let value: UInt32? =
            switch byte {
            case 0x41...0x5A: capitalStart + UInt32(byte) - 0x41
            case 0x61...0x7A: smallStart + UInt32(byte) - 0x61
            case 0x30...0x39: digitStart.map { $0 + UInt32(byte) - 0x30 }
            default: nil
            }
          return value.flatMap(Unicode.Scalar.init).map(Character.init) ?? character
        })
    }
  }

  static let alphabets: [String: Alphabet] = [
    "mathbb": blackboardBold, "Bbb": blackboardBold,
    "mathbf": Alphabet(capitalStart: 0x1D400, smallStart: 0x1D41A, digitStart: 0x1D7CE),
    "mathcal": script, "mathscr": script,
    "mathfrak": Alphabet(
      capitalStart: 0x1D504, smallStart: 0x1D51E,
      exceptions: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"]),
  ]
  private static let blackboardBold = Alphabet(
    capitalStart: 0x1D538, smallStart: 0x1D552, digitStart: 0x1D7D8,
    exceptions: ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"])
  private static let script = Alphabet(
    capitalStart: 0x1D49C, smallStart: 0x1D4B6,
    exceptions: [
      "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ",
      "g": "ℊ",
      "o": "ℴ",
    ])

  /// Returns the text in superscript characters if all exist, else as `^x` or `^(a, b)`.
  static func superscripted(_ text: String) -> String {
    if text == "∘" { return "°" }
    if text.allSatisfy({ $0 == "′" }) { return text }
    return scripted(text, superscriptCharacters, "^")
  }

  /// Returns the text in subscript characters if all exist, else as `_x` or `_(a, b)`.
  static func subscripted(_ text: String) -> String { scripted(text, subscriptCharacters, "_") }

  private static func scripted(
    _ text: String, _ letters: [Character: Character], _ marker: String
  ) -> String {
    let mapped = text.filter { $0 != " " }.compactMap { letters[$0] }
    if mapped.count == text.count(where: { $0 != " " }) { return String(mapped) }
    return text.count == 1 ? marker + text : "\(marker)(\(text))"
  }

  private static let superscriptCharacters = pairs(
    "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀ")
  private static let subscriptCharacters = pairs(
    "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ")

  private static func pairs(_ text: String) -> [Character: Character] {
    let letters = Array(text)
    return Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: letters.count - 1, by: 2).map {
        (letters[$0], letters[$0 + 1])
      })
  }

  private static func parseNames(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  /// Parses a list of alternating keys and values, separated by white space.
  private static func parseTable(_ text: String) -> [String: String] {
    // Split scalars, not characters: a combining mark would attach to the space before it.
    let words = text.unicodeScalars.split { $0 == " " || $0 == "\n" }.map(String.init)
    return Dictionary(
      stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) },
      uniquingKeysWith: { first, _ in first })
  }
}
