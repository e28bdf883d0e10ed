import { printable } from '../../../kit/words/escape.ts';
import { displayWidth } from '../../../kit/words/width.ts';
import type { AttributeExplanation, Origin, ValueStep, VariableExplanation } from '../../rules/engine/explanation.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, printableOrigin, ruleText, shownValue } from './headline.ts';

/** One value with all its earlier values. */
interface ExplainedValue {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
  readonly steps: readonly ValueStep[];
  /** Why the inventory does not show it. */
  readonly hidden?: string;
  readonly expression?: boolean;
  /** Its name in the inventory, if that is another one. */
  readonly servedAs?: string;
}

/** Every value with its origin and the values that it replaced; first those that the inventory shows. */
export function explainValues(answer: ExplainedHost, view: ExplainView): string {
  const values = valuesOf(answer).filter(({ name }) => view.attributes.length === 0 || view.attributes.includes(name));
  const known = new Set(values.map(({ name }) => name));
  const missing = view.attributes.filter((name) => !known.has(name)).map((name) => missingText(name, answer));
  const served = values.filter(({ hidden }) => hidden === undefined);
  const hidden = values.filter((value) => value.hidden !== undefined);
  return [
    section('Values that the inventory shows', served, answer, view),
    section('Hidden values', hidden, answer, view),
    ...missing.map((line) => `\n${line}\n`),
  ].join('');
}

function valuesOf({ explanation }: ExplainedHost): ExplainedValue[] {
  const attributes = new Map(explanation.attributes.map((attribute) => [attribute.name, attribute]));
  const variables = explanation.variables.map((variable) => variableValue(variable, attributes.get(variable.name)));
  const others = explanation.attributes
    .filter(({ replaced }) => !replaced)
    .map((attribute) => attributeValue(attribute, explanation.included));
  return [...others, ...variables].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function variableValue(variable: VariableExplanation, replaced: AttributeExplanation | undefined): ExplainedValue {
  const first = variable.steps[0];
  const earlier = replaced?.steps ?? [];
  // The variable is laid over the attribute, which its own steps do not know.
  const steps =
    first === undefined || replaced === undefined
      ? variable.steps
      : [{ ...first, before: replaced.value }, ...variable.steps.slice(1)];
  return { ...variable, steps: [...earlier, ...steps], ...hiddenByName(variable) };
}

function attributeValue(attribute: AttributeExplanation, included: boolean): ExplainedValue {
  if (attribute.shown) return { ...attribute, ...hiddenByName(attribute) };
  return { ...attribute, hidden: included ? hiddenBy(attribute) : 'the host is not in this inventory' };
}

function hiddenByName({ withheld }: { readonly withheld?: string }): { hidden?: string } {
  return withheld === undefined ? {} : { hidden: `not served: ${withheld}` };
}

function hiddenBy({ filter }: AttributeExplanation): string {
  return filter === undefined
    ? 'no filter rule lets it through'
    : `${ruleText(filter.rule)} says: ${printable(filter.line)}`;
}

function section(title: string, values: readonly ExplainedValue[], answer: ExplainedHost, view: ExplainView): string {
  if (values.length === 0) return '';
  const names = Math.min(32, Math.max(...values.map(({ name }) => displayWidth(printable(name)))));
  const texts = values.map(({ value }) => shownValue(value, view.width));
  const column = Math.min(40, Math.max(...texts.map(displayWidth)));
  const lines = values.map((value, index) => valueLines(value, texts[index] ?? '', { names, column }, answer, view));
  return `\n${view.colours.bold(title)}\n${lines.join('')}`;
}

function valueLines(
  value: ExplainedValue,
  text: string,
  widths: { names: number; column: number },
  { account }: ExplainedHost,
  { colours, width }: ExplainView,
): string {
  const name = printable(value.name);
  const expression = value.expression ? colours.dim(', for the consumer to evaluate') : '';
  const isRenamed = value.servedAs !== undefined && value.hidden === undefined;
  const renamed = isRenamed ? colours.dim(`, served as ${value.servedAs}`) : '';
  const head = `  ${colours.cyan(padded(name, widths.names))}  ${padded(text, widths.column)}  ${colours.dim('←')} ${printableOrigin(value.origin, account)}${expression}${renamed}`;
  const indent = `  ${' '.repeat(widths.names)}  `;
  const history = overwritten(value.steps).map(
    (step) =>
      `${indent}${colours.dim(`instead of ${shownValue(step.value, width)} ← ${printableOrigin(step.origin, account)}`)}`,
  );
  const hidden = value.hidden === undefined ? [] : [`${indent}${colours.yellow(value.hidden)}`];
  return `${[head, ...history, ...hidden].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Earlier values of other origins, newest first. Changes that a rule made to its own value in between are left out. */
function overwritten(steps: readonly ValueStep[]): { value: unknown; origin: Origin }[] {
  return steps
    .slice(0, -1)
    .filter((step, index) => JSON.stringify(step.origin) !== JSON.stringify(steps[index + 1]?.origin))
    .flatMap(({ after, origin }) => (after === undefined ? [] : [{ value: after, origin }]))
    .reverse();
}

function missingText(name: string, { explanation }: ExplainedHost): string {
  const removing = explanation.rules.find((rule) =>
    rule.changes.some((change) => change.name === name && change.before !== undefined && change.after === undefined),
  );
  if (removing !== undefined)
    return `${printable(name)} is gone: ${ruleText(removing)} (${removing.type}) removed or renamed it.`;
  return `${printable(name)}: the host has no such attribute, and no rule sets it.`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
