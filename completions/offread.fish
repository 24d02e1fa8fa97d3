# Completion of offread for fish. The program itself determines the candidates.

function __offread_complete
    set -l words (commandline -opc)
    for line in (offread complete -- $words[2..] (commandline -ct) 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c offread -f -a '(__offread_complete)'
