import { printable } from '../../../kit/words/escape.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, printableOrigin } from './headline.ts';

/** By whom the host is in each group, and which groups stand above it. Empty where it is in none. */
export function explainGroups({ groups, account }: ExplainedHost, { colours, attributes }: ExplainView): string {
  if (groups.length === 0 || attributes.length > 0) return '';
  const lines = groups.map(({ group, above, origin }) => {
    const place = above === null ? '' : colours.dim(` above ${printable(above)}`);
    const by = origin === null ? '' : colours.dim(` ← ${printableOrigin(origin, account)}`);
    return `  ${colours.cyan(printable(group))}${place}${by}`;
  });
  return `\n${colours.bold('Groups')}\n${lines.join('\n')}\n`;
}
