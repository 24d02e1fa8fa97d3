# Completion of offread for fish. The program itself determines the candidates.

function __offread_complete
    set -l words (commandline -opc)
    # The word as it is passed to the program: without quotation marks, of which one may be open.
    set -l current (commandline -ct | string unescape; or commandline -ct)
    set -l option (string match -r -- '^--[a-z-]+=' $current)
    set -l path (string replace -- "$option" '' $current)
    for line in (offread complete -- $words[2..] $current 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' "$option"(__fish_complete_path $path)
            case :folders
                printf '%s\n' "$option"(__fish_complete_directories $path)
            case '*'
                echo $line
        end
    end
end

complete -c offread -f -a '(__offread_complete)'
