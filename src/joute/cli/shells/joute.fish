# Completion of joute for fish: joute completion fish > ~/.config/fish/completions/joute.fish
function __joute_completion
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l answer ($program __complete words $words "$current" 2>/dev/null)
    if test (count $answer) -gt 1
        printf '%s\n' $answer[2..-1]
    end
    if test "$answer[1]" = files
        __fish_complete_path "$current"
    end
end
complete --command joute --no-files --arguments '(__joute_completion)'
