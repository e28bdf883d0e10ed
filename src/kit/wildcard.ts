/** Whether a text is the wanted one, in which `*` stands for any signs. Its pieces are looked for one behind the other, so that no text takes long. */
export function wildcardTest(wanted: string): (text: string) => boolean {
  const [first = '', ...others] = wanted.split('*');
  const last = others.pop();
  if (last === undefined) return (text) => text === wanted;
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const piece of others) {
      const found = text.indexOf(piece, from);
      if (found < 0) return false;
      from = found + piece.length;
    }
    return from <= text.length - last.length;
  };
}
