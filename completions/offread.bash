# Completion of offread for bash. The program itself determines the candidates.
# shellcheck shell=bash

# Splits the line before the cursor into the array words, as the shell does. If the last quotation
# is open, its quotation mark is in quote. Readline replaces only the text after a colon, an equals
# sign or an open quotation mark; the part of the last word before it is in prefix.
_offread_split() {
  local rest=$1 word='' text quoted char
  words=() prefix='' quote=''
  while [[ -n $rest ]]; do
    if [[ $rest =~ ^[[:space:]]+ ]]; then
      words+=("$word") word='' prefix=''
      text=${BASH_REMATCH[0]}
    elif [[ $rest =~ ^\"(([^\"\\]|\\.)*)(\"?) || $rest =~ ^(\'([^\']*))(\'?) ]]; then
      text=${BASH_REMATCH[0]}
      [[ -n ${BASH_REMATCH[3]} ]] || prefix=$word quote=${rest:0:1}
      quoted=${BASH_REMATCH[2]}
      if [[ $rest == \"* ]]; then
        quoted=${BASH_REMATCH[1]}
        for char in \" \$ \` \\; do quoted=${quoted//"\\$char"/"$char"}; done
      fi
      word+=$quoted
    elif [[ $rest =~ ^\\(.) ]]; then
      text=${BASH_REMATCH[0]} word+=${BASH_REMATCH[1]}
    else
      text=${rest:0:1} word+=$text
      [[ $text == [:=] && $COMP_WORDBREAKS == *"$text"* ]] && prefix=$word
    fi
    rest=${rest:${#text}}
  done
  words+=("$word")
}

_offread() {
  local current prefix quote word
  local -a words files=()
  # Uses the whole line, because bash splits words at colons and equals signs, which URLs contain.
  _offread_split "${COMP_LINE:0:COMP_POINT}"
  current=${words[${#words[@]} - 1]}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files) mapfile -t files < <(compgen -f -- "${current#--*=}") ;;
      :folders) mapfile -t files < <(compgen -d -- "${current#--*=}") ;;
      *) COMPREPLY+=("${word#"$prefix"}") ;;
    esac
  done < <(offread complete -- "${words[@]:1}" 2>/dev/null)
  [[ $current == --*=* ]] && prefix=${prefix#--*=}
  # Readline quotes the names of files itself, and would also do it for other words beside them.
  if [[ ${#files[@]} -gt 0 ]]; then
    compopt -o filenames
    COMPREPLY+=("${files[@]#"$prefix"}")
    return 0
  fi
  case $quote in
    '"') for word in \\ \" \$ \`; do COMPREPLY=("${COMPREPLY[@]//"$word"/"\\$word"}"); done ;;
    "'") COMPREPLY=("${COMPREPLY[@]//\'/\'\\\'\'}") ;;
    *)
      for word in "${!COMPREPLY[@]}"; do
        printf -v "COMPREPLY[word]" %q "${COMPREPLY[word]}"
      done
      ;;
  esac
}

complete -F _offread offread
