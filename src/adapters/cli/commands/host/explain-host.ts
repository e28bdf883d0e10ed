import { explainHost } from '../../../../app/hosts/operations/explain-host.ts';
import type { CommandContext } from '../../context.ts';
import { explainContributions } from './explain-contributions.ts';
import { explainRules } from './explain-rules.ts';
import { explainValues } from './explain-values.ts';
import { type Explained, type ExplainView, headline, withAttributes } from './explained.ts';

export interface ExplainOptions {
  readonly project?: string;
  readonly attribute?: readonly string[];
  readonly json?: true;
}

export async function explainHostCommand(
  context: CommandContext,
  hostname: string,
  options: ExplainOptions,
): Promise<void> {
  const answer = await explained(context, hostname, options.project);
  const attributes = options.attribute ?? [];
  if (options.json) return context.json(withAttributes(answer, attributes));
  const view = viewOf(context, attributes);
  await context.result(headline(answer, view));
  await context.result(explainValues(answer, view));
  const contested = explainContributions(answer, view);
  if (contested !== '') await context.result(contested);
  await context.result(explainRules(answer, view));
}

/** `muster rules test`: what the rules do to one host, without the values that they leave alone. */
export async function testRules(
  context: CommandContext,
  hostname: string,
  options: { project?: string; json?: true },
): Promise<void> {
  const answer = await explained(context, hostname, options.project);
  if (answer.obstacle !== undefined) context.failed();
  const { rules, included, groups, result } = answer.explanation;
  if (options.json) return context.json({ hostname, provider: answer.provider, included, groups, rules, result });
  const view = viewOf(context, []);
  await context.result(headline(answer, view));
  await context.result(explainRules(answer, view));
}

async function explained(context: CommandContext, hostname: string, project: string | undefined): Promise<Explained> {
  const answer = await context.value(explainHost, { hostname, ...(project === undefined ? {} : { project }) });
  if (answer.obstacle !== undefined) context.note(context.noteColours.red(`muster: ${answer.obstacle}`));
  return answer;
}

function viewOf(context: CommandContext, attributes: readonly string[]): ExplainView {
  return { colours: context.colours, width: context.width, attributes };
}
