# Completion of offread for bash: the program itself says what may stand where.
# shellcheck shell=bash

_offread() {
  local line=${COMP_LINE:0:COMP_POINT} current='' word prefix=''
  local -a words
  # bash parts words at colons and signs of equality, which addresses have.
  read -ra words <<<"$line"
  case $line in
    *[[:space:]]) words+=('') ;;
  esac
  current=${words[${#words[@]} - 1]}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files)
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
        ;;
      :folders)
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current")
        ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(offread complete -- "${words[@]:1}" 2>/dev/null)
  # readline replaces what follows the last of them only.
  for word in : =; do
    if [[ $current == *"$word"* && $COMP_WORDBREAKS == *"$word"* ]]; then
      prefix=${current%"${current##*"$word"}"}
      COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
      current=${current#"$prefix"}
    fi
  done
}

complete -F _offread offread
