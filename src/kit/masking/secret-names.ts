const SECRET_NAME = /(?:^|[_-])(?:password|passwd|passphrase|secret|token|api_?key|private_?key|credentials?)$/i;

/** True for names of options whose values are secrets, also where nothing else says so. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
