# Completion of offread for bash. The program itself determines the candidates.
# shellcheck shell=bash

_offread() {
  local line=${COMP_LINE:0:COMP_POINT} current='' word prefix='' quotes=yes
  local -a words
  # Uses the whole line, because bash splits words at colons and equals signs, which URLs contain.
  # Without -r, backslashes quote the next character, as they do on the line.
  # shellcheck disable=SC2162
  read -a words <<<"$line"
  case $line in
    *\\[[:space:]]) ;;
    *[[:space:]]) words+=('') ;;
  esac
  current=${words[${#words[@]} - 1]}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files)
        compopt -o filenames && quotes=''
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
        ;;
      :folders)
        compopt -o filenames && quotes=''
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current")
        ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(offread complete -- "${words[@]:1}" 2>/dev/null)
  # readline replaces only the text after the last colon or equals sign, so the part before is removed.
  for word in : =; do
    if [[ $current == *"$word"* && $COMP_WORDBREAKS == *"$word"* ]]; then
      prefix=${current%"${current##*"$word"}"}
      COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
      current=${current#"$prefix"}
    fi
  done
  # With filenames, readline quotes the words itself.
  [ -n "$quotes" ] || return 0
  for word in "${!COMPREPLY[@]}"; do
    printf -v "COMPREPLY[word]" %q "${COMPREPLY[word]}"
  done
}

complete -F _offread offread
