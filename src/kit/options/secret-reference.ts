import { phrase } from '../worded.ts';

/** `vault:secret/data/netbox#token`: the source, and what names the secret there. */
export interface SecretReference {
  readonly source: string;
  readonly name: string;
}

const FORM = /^([a-z][a-z0-9-]{0,39}):(\S(?:.*\S)?)$/s;
const LONGEST = 1000;

export function parseSecretReference(text: string): SecretReference | undefined {
  const [, source, name] = FORM.exec(text) ?? [];
  return source === undefined || name === undefined || text.length > LONGEST ? undefined : { source, name };
}

/** Why a text cannot be a reference to a secret, whatever sources there are. */
export function referenceShapeProblem(text: string): string | undefined {
  return parseSecretReference(text) === undefined || hasControlCharacter(text)
    ? phrase`must name a source and a secret there, such as vault:secret/data/netbox#token`
    : undefined;
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
