import type { Print } from '../../kernel/print.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { explainContributions } from './contributions.ts';
import { explainGroups } from './groups.ts';
import { type ExplainView, headline } from './headline.ts';
import { explainRules } from './rules.ts';
import { explainValues } from './values.ts';
import { explainWishes } from './wishes.ts';

/** For every value where it came from, and for every rule whether it hit and why. */
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
  await print.result(explainWishes(host, view));
  await print.result(explainRules(host, view));
}

/** What the rules do to one host, without the values that they leave alone. */
export async function ruleTestView(host: ExplainedHost, print: Print): Promise<void> {
  const view: ExplainView = { colours: print.colours, width: print.width, attributes: [] };
  await print.result(headline(host, view));
  await print.result(explainGroups(host, view));
  await print.result(explainWishes(host, view));
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
