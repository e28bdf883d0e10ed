/**
 * The script that each shell reads. It calls the program as it was invoked, so that one of a checkout completes its own commands.
 */
export const SCRIPTS = {
  // bash takes key=value for three words, and replaces the last of them alone.
  bash: `_muster() {
  local line word before
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if (( \${#words[@]} )) && [[ $word == = || \${words[-1]} == *= ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  before=
  [[ \${words[-1]} == *=* ]] && before="\${words[-1]%=*}="
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    [[ $line == *= ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("\${line#"$before"}")
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _muster muster
`,
  zsh: `#compdef muster
_muster() {
  local line
  local -a choices
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && choices+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#choices} )); then
    _describe 'muster' choices
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _muster ]]; then
  _muster "$@"
else
  compdef _muster muster
fi
`,
  fish: `function __muster_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l token (commandline -ct)
    set -e words[1]
    set -l choices ($program complete -- $words "$token" 2>/dev/null)
    if test (count $choices) -gt 0
        printf '%s\\n' $choices
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c muster -f -a '(__muster_complete)'
`,
} as const;
