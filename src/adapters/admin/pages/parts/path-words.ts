/**
 * Returns `conditions.0.attribute_name` in plain words: `conditions 1, attribute name`. Places are counted from 1, as on the
 * page.
 */
export function pathWords(path: string): string {
  const words: string[] = [];
  for (const part of path.split('.')) {
    const last = words.length - 1;
    if (/^\d+$/.test(part) && last >= 0) words[last] = `${words[last]} ${Number(part) + 1}`;
    else words.push(part.replaceAll('_', ' '));
  }
  return words.join(', ');
}
