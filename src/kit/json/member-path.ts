/** Dotted paths of members. A backslash escapes a dot that belongs to a name, and also a backslash. */

export function memberPath(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\.]/g, '\\$&')).join('.');
}

export function namesOfPath(path: string): readonly string[] {
  if (!path.includes('\\')) return path.split('.');
  const names = [''];
  for (const part of path.match(/\\[\s\S]|[\s\S]/g) ?? []) {
    if (part === '.') names.push('');
    else names[names.length - 1] += part.length > 1 ? part.slice(1) : part;
  }
  return names;
}
