// Writes what the command line knows of the commands that operations declare: their words, arguments, options and help. With it,
// help loads no operation, and a command loads its own and no others.

/**
 * The texts of the lists by their path: one file for each first word, and one that says which there are. `files` says of each
 * operation in which file it stands and under which name; `specifier` how one file imports another.
 */
export function commandLists(operations, files, { index, folder, specifier }) {
  const groups = new Map();
  for (const { name, path, variable } of files) {
    const { description, at } = operations[name];
    for (const entry of [at.command ?? []].flat()) {
      const [word] = entry.words.split(' ');
      const group = `${folder}/${word}.ts`;
      // Functions stay with the operation.
      const usage = JSON.stringify({ description, ...entry }, undefined, 2).replace(/\n\}$/, ',');
      const operation = `async operation() { return (await import('${specifier(group, path)}')).${variable}; },`;
      const { commands = '' } = groups.get(group) ?? {};
      groups.set(group, { word, commands: `${commands}${usage}\n${operation}\n},\n` });
    }
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const loads = sorted.map(([group, { word }]) => {
    return `'${word}': async () => (await import('${specifier(index, group)}')).COMMANDS,`;
  });
  const lists = sorted.map(([group, { word, commands }]) => [group, listOfGroup(word, commands)]);
  return { ...Object.fromEntries(lists), [index]: indexOfGroups(loads) };
}

function listOfGroup(word, commands) {
  return `import type { DeclaredCommand } from '../../src/app/catalogue/declared-command.ts';

/** The commands \`${word} …\` that operations declare. */
export const COMMANDS: readonly DeclaredCommand[] = [${commands}];
`;
}

function indexOfGroups(loads) {
  return `import type { DeclaredCommand } from '../src/app/catalogue/declared-command.ts';

/** The commands that operations declare, by the first word. */
export const COMMANDS: Readonly<Record<string, () => Promise<readonly DeclaredCommand[]>>> = {
${loads.join('\n')}
};
`;
}
