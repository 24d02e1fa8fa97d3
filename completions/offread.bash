# Completion of offread for bash.
# shellcheck shell=bash

_offread() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local loading='--data-dir --mode --offline --no-fallback --respect-no-store --copy --patience
    --connect-timeout --timeout --log --cookies --netrc --netrc-file --cert --key --cacert --help'
  local showing='--width --base --color --format --links --reader --full --meta --explain --linear --fail-stale'
  local command=read word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      dump | fetch | save | add | sync | check | list | mark | search | versions | diff | remove | import | export | bundle | archive | config)
        command=$word
        break
        ;;
    esac
  done

  local words=
  case $previous in
    --mode) words='network-first cache-first stale-while-revalidate network-only cache-only' ;;
    --sort) words='date title size site progress' ;;
    --copy) words='latest previous' ;;
    --color) words='auto always never' ;;
    --format)
      words='text ansi markdown html json links outline'
      [ "$command" != diff ] || words='text markdown'
      [ "$command" != export ] || words='warc epub markdown html json opml'
      ;;
    --links) words='none numbers inline' ;;
    -X) words='GET HEAD POST PUT DELETE OPTIONS' ;;
    --data-dir)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
    --from | --log | --cookies | --netrc-file | --cert | --key | --cacert | -o)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    --depth | --include | --exclude | --max-pages | --max-size | --tag | --untag | --note | --feed | --items | --every | --delay | --jobs | --open | --limit | --site | --title | \
      --width | -cols | --base | --patience | --connect-timeout | --timeout | --max-redirects | -H | -u | \
      --data)
      return
      ;;
    *)
      case $command:$current in
        fetch:-*) words="$loading -i -I -X -H -u --data --max-redirects -o -v" ;;
        save:-*)
          words="$loading --from --depth --same-host --include --exclude --max-pages --max-size --tag
            --feed --items --every --no-images --complete --no-complete --ignore-robots --delay --jobs --quiet --json"
          ;;
        sync:-*) words="$loading --tag --from --dry-run --delay --jobs --quiet --json" ;;
        add:-*) words='--tag --complete --quiet --data-dir --help' ;;
        check:-*)
          words='--tag --from --depth --same-host --include --exclude --quiet --strict --json --data-dir --help'
          ;;
        list:-*)
          words='--tag --queue --feeds --unread --archived --removed --sort --limit --site --json
            --data-dir --help'
          ;;
        mark:-*)
          words='--tag --from --untag --note --read --unread --archive --unarchive --keep --unkeep --every
            --data-dir --help'
          ;;
        diff:-*) words='--format --reader --width --color --exit-code --data-dir --help' ;;
        search:-*) words='--open --limit --color --quiet --json --data-dir --help' ;;
        search:*) return ;;
        list:*) return ;;
        sync:* | check:* | mark:* | save:* | add:*) ;;
        versions:-*) words='--json --data-dir --help' ;;
        import:-*) words='--tag --with-removed --with-changes --quiet --data-dir --help' ;;
        export:-*) words='--format -o --tag --from --all --title --highlights --force --data-dir --help' ;;
        bundle:-*) words='-o --force --quiet --data-dir --help' ;;
        bundle:*) return ;;
        export:*) ;;
        remove:-*) words='--tag --from --dry-run --later --undo --yes --quiet --data-dir --help' ;;
        archive:-*) words='--dry-run --json --quiet --data-dir --help' ;;
        archive:*) words='info verify compact rebuild' ;;
        versions:* | diff:* | remove:*) ;;
        config:-*) words='--path --print --keys --themes --data-dir --help' ;;
        dump:-*) words="$loading $showing" ;;
        read:-*) words="$loading --width --base --color --version" ;;
        *)
          [ "$command" != read ] || words='dump fetch save add sync check list mark search versions diff remove import export bundle archive config'
          [ "$command" = config ] || words="$words about:offread about:manual"
          if [ "$command" != fetch ]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
          fi
          ;;
      esac
      ;;
  esac
  local found
  mapfile -t found < <(compgen -W "$words" -- "$current")
  # The addresses of saved pages.
  case $command:$current in
    *:-* | config:* | archive:* | bundle:* | import:* | search:* | list:*) ;;
    *)
      if [ "${#found[@]}" -eq 0 ]; then
        mapfile -t found < <(offread complete -- "$current" 2>/dev/null)
      fi
      ;;
  esac
  COMPREPLY+=("${found[@]}")
  # A colon is a word break for readline: hand back only what follows the last one.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${current%:*}":}")
  fi
}

complete -o filenames -F _offread offread
