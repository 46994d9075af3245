/**
 * Scripts for shells to complete a command. They run the command itself, which prints a suggestion per line: the value,
 * a tab, and a note. The line `:files` tells the shell to complete a file.
 */

export const FILES = ':files';
/** Hidden first word of the question */
export const QUESTION = '__complete';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** @param name `territory` or `territory-admin` */
export const completionScript = (shell: Shell, name: string): string =>
  SCRIPTS[shell](name, `_${name.replaceAll('-', '_')}_complete`);

/** Instructions to load the script in new shells */
const INSTALLATION: Record<Shell, (name: string) => string> = {
  bash: (name) => `Add to ~/.bashrc: source <(${name} completion bash)`,
  zsh: (name) => `Add to ~/.zshrc, after compinit: source <(${name} completion zsh)`,
  fish: (name) => `Run: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
};

// bash 3.2 of macOS has no `compopt`, so it suggests files if nothing else matches.
const SCRIPTS: Record<Shell, (name: string, fn: string) => string> = {
  bash: (name, fn) => `# ${INSTALLATION.bash(name)}
${fn}() {
  local value note
  COMPREPLY=()
  while IFS=$'\\t' read -r value note; do
    [[ $value == ${FILES} ]] || COMPREPLY+=("$value")
  done < <("\${COMP_WORDS[0]}" ${QUESTION} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F ${fn} ${name}
`,
  zsh: (name, fn) => `#compdef ${name}
# ${INSTALLATION.zsh(name)}
${fn}() {
  local value note
  local -a suggested
  while IFS=$'\\t' read -r value note; do
    if [[ $value == ${FILES} ]]; then
      _files
    else
      suggested+=("\${value//:/\\\\:}\${note:+:$note}")
    fi
  done < <("\${words[1]}" ${QUESTION} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#suggested )) && _describe -V ${name} suggested
}
if [[ $funcstack[1] == _${name} ]]; then
  ${fn} "$@"
else
  compdef ${fn} ${name}
fi
`,
  fish: (name, fn) => `# ${INSTALLATION.fish(name)}
function _${fn}
  set -l words (commandline -opc) (commandline -ct)
  for suggested in ($words[1] ${QUESTION} $words[2..-1] 2>/dev/null)
    if test "$suggested" = ${FILES}
      __fish_complete_path (commandline -ct)
    else
      echo $suggested
    end
  end
end
complete -c ${name} -f -a '(_${fn})'
`,
};
