import { printable } from '../../../kit/words/escape.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, shownValue } from './headline.ts';

/** Labels that several accounts give: who wins, and what the others would say. Empty when there are none. */
export function explainContributions({ contributions }: ExplainedHost, view: ExplainView): string {
  const names = new Set(contributions.flatMap(({ labels }) => Object.keys(labels)));
  const contested = [...names]
    .filter((name) => view.attributes.length === 0 || view.attributes.includes(name))
    .map((name) => ({ name, layers: contributions.filter(({ labels }) => Object.hasOwn(labels, name)) }))
    .filter(({ layers }) => layers.length > 1)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (contested.length === 0) return '';
  const lines = contested.flatMap(({ name, layers }) =>
    layers.map(({ account, precedence, owner, labels }, index) => {
      const who = `account ${printable(account)} (precedence ${precedence}${owner ? ', owner' : ''})`;
      const value = shownValue(labels[name], view.width);
      return index === 0
        ? `  ${printable(name)}  ${value}  ← ${who} wins`
        : view.colours.dim(`  ${' '.repeat(printable(name).length)}  ${value}  ← ${who}`);
    }),
  );
  return `\n${view.colours.bold('Labels that several accounts give')}\n${lines.join('\n')}\n`;
}
