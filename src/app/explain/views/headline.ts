import { printable } from '../../../kit/words/escape.ts';
import { truncated } from '../../../kit/words/width.ts';
import type { Colours } from '../../kernel/print.ts';
import type { Origin, RuleName } from '../../rules/engine/explanation.ts';
import { originText } from '../../rules/explanation/words.ts';
import type { ExplainedHost } from '../explained-host.ts';

export interface ExplainView {
  readonly colours: Colours;
  readonly width: number | undefined;
  /** Names to be explained; empty: all of them. */
  readonly attributes: readonly string[];
}

/** Returns the kind of the host, and whether the inventory or the target has it. */
export function headline(explained: ExplainedHost, { colours }: ExplainView): string {
  const { hostname, account, explanation, replaces } = explained;
  const { row } = explanation;
  const owner = row === undefined ? accountText(account) : `line ${row.line} of the list of ${ruleText(row)}`;
  const note =
    replaces === undefined
      ? ''
      : `It takes the place of the stored host of this name (${accountText(replaces.account)}), of which this inventory shows nothing.\n`;
  const own = explained.groups.filter(({ above }) => above === null).map(({ group }) => printable(group));
  const groups = own.length === 0 ? '' : `, in ${groupWord(own.length)} ${own.join(', ')}`;
  const { is, isNot } = placeWords(explained);
  const place = explanation.included ? `${is}${groups}` : colours.yellow(`${isNot}: ${whyNot(explanation)}`);
  return `${colours.bold(printable(hostname))} (${owner}) ${place}\n${note}`;
}

function placeWords({ provider, target }: ExplainedHost): { readonly is: string; readonly isNot: string } {
  if (target === undefined) {
    const inventory = `inventory ${printable(provider)}`;
    return { is: `is in ${inventory}`, isNot: `is not in ${inventory}` };
  }
  const where = `${printable(target.account)} (${printable(target.type)})`;
  return { is: `goes to ${where}`, isNot: `does not go to ${where}` };
}

function accountText(account: string | null): string {
  return account === null ? 'no account' : `account ${printable(account)}`;
}

function groupWord(count: number): string {
  return count === 1 ? 'group' : 'groups';
}

function whyNot({ ignoredBy, leftOut }: ExplainedHost['explanation']): string {
  return ignoredBy === undefined && leftOut !== undefined ? leftOut : takenOutBy(ignoredBy);
}

function takenOutBy(rule: RuleName | undefined): string {
  return rule === undefined ? 'a filter rule took it out' : `filter ${ruleText(rule)} took it out`;
}

export function ruleText(rule: RuleName): string {
  return `rule "${printable(rule.name)}"`;
}

/** The origin of a value; rules with their type. */
export function printableOrigin(origin: Origin, account: string | null): string {
  if (origin.kind === 'rule') return `${ruleText(origin)} (${origin.type})`;
  return printable(originText(origin, account));
}

/** A value as JSON, which distinguishes `"1"` from `1`; cut on a terminal. */
export function shownValue(value: unknown, width: number | undefined): string {
  const text = printable(JSON.stringify(value) ?? 'nothing');
  return width === undefined ? text : truncated(text, Math.max(20, Math.floor(width / 2)));
}
