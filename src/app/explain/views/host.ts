import { printable } from '../../../kit/words/escape.ts';
import type { Print } from '../../kernel/print.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, headline, printableOrigin, ruleText, shownValue } from './headline.ts';
import { explainRules } from './rules.ts';
import { explainValues } from './values.ts';

/** Prints the origin of every value, and for every rule whether it matched and why. */
export async function explanationView(
  host: ExplainedHost,
  print: Print,
  { attributes }: { readonly attributes: readonly string[] },
): Promise<void> {
  const view: ExplainView = { colours: print.colours, width: print.width, attributes };
  await print.result(headline(host, view));
  await print.result(explainGroups(host, view));
  await print.result(explainValues(host, view));
  const contested = explainContributions(host, view);
  if (contested !== '') await print.result(contested);
  await print.result(explainDesired(host, view));
  await print.result(explainRules(host, view));
}

/** Prints the effect of the rules on one host, without the values that they leave alone. */
export async function ruleTestView(host: ExplainedHost, print: Print): Promise<void> {
  const view: ExplainView = { colours: print.colours, width: print.width, attributes: [] };
  await print.result(headline(host, view));
  await print.result(explainGroups(host, view));
  await print.result(explainDesired(host, view));
  await print.result(explainRules(host, view));
}

/** Why no run uses the rules as they are, which an explanation is good against. */
export function obstacleNote({ obstacle }: ExplainedHost, print: Print): void {
  if (obstacle !== undefined) print.note(print.noteColours.red(`muster: ${obstacle}`));
}

/** Rules of which no run can be made do not pass the test. */
export function ruleTestOutcome(host: ExplainedHost, print: Print): void {
  obstacleNote(host, print);
  if (host.obstacle !== undefined) print.failed();
}

/** Labels that several accounts give: who wins, and what the others would say. Empty when there are none. */
function explainContributions({ contributions }: ExplainedHost, view: ExplainView): string {
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

/** The origin of each group that the host is in, and the groups above it. Empty if it is in none. */
function explainGroups({ groups, account }: ExplainedHost, { colours, attributes }: ExplainView): string {
  if (groups.length === 0 || attributes.length > 0) return '';
  const lines = groups.map(({ group, above, origin }) => {
    const place = above === null ? '' : colours.dim(` above ${printable(above)}`);
    const by = origin === null ? '' : colours.dim(` ← ${printableOrigin(origin, account)}`);
    return `  ${colours.cyan(printable(group))}${place}${by}`;
  });
  return `\n${colours.bold('Groups')}\n${lines.join('\n')}\n`;
}

/** The wanted objects of the host in the target, with the rule if one decided that. Empty if no target was requested. */
function explainDesired({ target, explanation }: ExplainedHost, { colours, width, attributes }: ExplainView): string {
  if (target === undefined || attributes.length > 0) return '';
  const lines: string[] = [];
  if (target.problem !== undefined) lines.push(colours.yellow(`  ${printable(target.problem)}`));
  for (const { kind, key, fields, rule } of target.wanted ?? []) {
    const by =
      rule === null
        ? ''
        : colours.dim(
            ` ← ${rule.name === '' ? `rule ${printable(rule.id)}` : `${ruleText(rule)} (${printable(rule.type)})`}`,
          );
    lines.push(`  ${printable(kind)} ${colours.cyan(printable(key))}${by}`);
    for (const [name, value] of Object.entries(fields))
      lines.push(`    ${printable(name)}: ${shownValue(value, width)}`);
  }
  if (target.wanted === null) return '';
  if (lines.length === 0) {
    lines.push(
      explanation.included ? 'The target has no desired object for it.' : '  Nothing, because it does not go there.',
    );
  }
  return `\n${colours.bold(`Desired state in ${printable(target.account)}`)}\n${lines.join('\n')}\n`;
}
