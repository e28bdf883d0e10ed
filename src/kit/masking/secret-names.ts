const SECRET_NAME = /(?:^|[_-])(?:password|passwd|passphrase|secret|token|api_?key|private_?key|credentials?)$/i;

/** True for names of options whose values are secrets, even if nothing else marks them as such. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
