/**
 * Whether a name fits a pattern in which `*` stands for any text and `?` for one character. By hand, because a regular expression
 * of many stars takes for ever: only the last star is ever tried again, so it is at most the product of both lengths.
 */
export function fits(name: string, pattern: string): boolean {
  const characters = Array.from(name);
  const wanted = Array.from(pattern);
  let at = 0;
  let next = 0;
  let star = -1;
  let from = 0;
  while (at < characters.length) {
    if (wanted[next] === '*') {
      star = next++;
      from = at;
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === characters[at])) {
      next++;
      at++;
    } else if (star === -1) return false;
    else {
      next = star + 1;
      at = ++from;
    }
  }
  return wanted.slice(next).every((character) => character === '*');
}
