type Ending = 'failed' | 'changed' | 'skipped';

/** Beginnings of Ansible's lines about how a task, or all of them, ended on a host. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, ending: Ending])[] = [
  [/^(?:fatal|failed|ERROR!|\[ERROR\])/, 'failed'],
  [/^changed:/, 'changed'],
  [/^(?:skipping:|\.\.\.ignoring)/, 'skipped'],
  [/^\S+ +: ok=\d+ .*\b(?:unreachable|failed)=[1-9]/, 'failed'],
];

/** Returns the ending of a task from a line of a playbook's output; `undefined` for every other line. */
export function endingOf(line: string): Ending | undefined {
  return BEGINNINGS.find(([beginning]) => beginning.test(line))?.[1];
}
