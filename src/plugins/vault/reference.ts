export const EXAMPLE = 'vault:secret/data/netbox#token';

/** `secret/data/netbox#token`: a path of the API below `/v1/`, and a field of what is there. */
export interface VaultReference {
  readonly path: string;
  readonly field: string;
}

const SEGMENT = /^[\w.@+~ -]+$/;

export function parseVaultReference(text: string): VaultReference | undefined {
  const at = text.indexOf('#');
  if (at < 0) return undefined;
  return { path: text.slice(0, at), field: text.slice(at + 1) };
}

/** Why a text can name no field of a secret. */
export function referenceProblem(text: string): string | undefined {
  const reference = parseVaultReference(text);
  if (reference === undefined || reference.field === '') return 'names no field; write #field behind the path';
  const segments = reference.path.split('/');
  const isPath = segments.length > 1 && segments.every((part) => SEGMENT.test(part) && part !== '.' && part !== '..');
  return isPath ? undefined : 'has no path of an engine and a secret, such as secret/data/netbox';
}

export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
