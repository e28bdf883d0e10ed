import type { RuleVersion } from '../../ports/index.ts';

/** How who made a rule is called when it was an autorule. */
const ACTOR = 'autorule ';
const HOST_PART = ', host ';

export function autoruleActor(autorule: string, hostname: string): string {
  return hostname === '' ? `${ACTOR}${autorule}` : `${ACTOR}${autorule}${HOST_PART}${hostname}`;
}

/** True for versions that an autorule made. */
export function isMadeByAutorule({ change, actor }: Pick<RuleVersion, 'change' | 'actor'>): boolean {
  return change === 'created' && actor.startsWith(ACTOR);
}

/** Returns the autorule that made this version and the host it made it for; `undefined` if no autorule did. */
export function maker(version: Pick<RuleVersion, 'change' | 'actor'>) {
  if (!isMadeByAutorule(version)) return undefined;
  const rest = version.actor.slice(ACTOR.length);
  const end = rest.lastIndexOf(HOST_PART);
  return end < 0
    ? { autorule: rest, hostname: '' }
    : { autorule: rest.slice(0, end), hostname: rest.slice(end + HOST_PART.length) };
}
