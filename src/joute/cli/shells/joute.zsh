#compdef joute
# Completion of joute for zsh; in ~/.zshrc, after compinit: eval "$(joute completion zsh)"
_joute() {
  local -a answer
  answer=("${(@f)$("${(Q)words[1]}" __complete words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  if ((${#answer} > 1)); then
    compadd -- "${(@)answer[2,-1]}"
  fi
  if [[ $answer[1] == files ]]; then
    _files
  fi
}
if [[ $funcstack[1] == _joute ]]; then
  _joute "$@"
else
  compdef _joute joute
fi
