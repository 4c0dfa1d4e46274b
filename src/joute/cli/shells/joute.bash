# Completion of joute for Bash 4.4 or newer; in ~/.bashrc: eval "$(joute completion bash)"
_joute_completion() {
  local IFS=$'\n' answer word=${COMP_WORDS[COMP_CWORD]}
  answer=($("${1/#\~/$HOME}" __complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null))
  COMPREPLY=("${answer[@]:1}")
  if [[ ${answer[0]} == files ]]; then
    # Where there are files alone, Bash offers them by itself (-o default), rightly quoted.
    if ((${#COMPREPLY[@]})); then
      [[ $word == [:=] ]] && word=
      COMPREPLY+=($(compgen -f -- "$word"))
    fi
  else
    compopt +o default
  fi
}
complete -o default -F _joute_completion joute
