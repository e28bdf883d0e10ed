import * as z from 'zod';
import { actionName, actionNamed } from '../../../../app/extensions/action-operations.ts';
import type { ValueOperation } from '../../../../app/kernel/operation.ts';
import { jsonText } from '../../../../kit/words/json.ts';
import { AppError, type JsonObject, type JsonValue } from '../../../../ports/index.ts';
import type { CommandContext } from '../../context.ts';
import { UsageError } from '../../usage-error.ts';

export interface RunActionOptions {
  readonly json?: boolean;
}

interface WantedAction {
  readonly plugin: string;
  readonly action: string;
  /** `name=value` */
  readonly members: readonly string[];
}

/** Calls an action here, or at the service that the command is sent to, which knows its input. */
export async function runActionCommand(
  context: CommandContext,
  { plugin, action, members }: WantedAction,
  { json = false }: RunActionOptions,
): Promise<void> {
  const input = Object.fromEntries(members.map(memberOf));
  const name = actionName({ plugin, action });
  const isRemote = (await context.service()) !== undefined;
  const operation = isRemote ? elsewhere(name) : await here(context, { plugin, action });
  const answer = await context.value(operation, input);
  if (json) return context.json(answer);
  await showAnswer(context, answer);
}

function memberOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${JSON.stringify(text)} must be name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function here(
  context: CommandContext,
  { plugin, action }: Omit<WantedAction, 'members'>,
): Promise<ValueOperation<unknown, JsonObject>> {
  const { services } = await context.app();
  const operation = actionNamed(services.plugins, actionName({ plugin, action }));
  if (operation?.at.remote === true && operation.answer === 'value')
    return operation as ValueOperation<unknown, JsonObject>;
  const what = `plugin ${plugin} offers no action ${action} for commands`;
  throw new AppError('not_found', `${what}; "muster plugin actions" lists them, "muster plugins" says what is broken`);
}

/** Returns just enough to call the action by its name; the service decides everything else. */
function elsewhere(name: string): ValueOperation<unknown, JsonObject> {
  return {
    name,
    title: name,
    description: '',
    effect: 'write',
    roles: [],
    weight: 'light',
    at: { remote: true },
    answer: 'value',
    input: z.unknown(),
    output: z.record(z.string(), z.json()),
    run: () => Promise.reject(new AppError('internal', `${name} runs at the service`)),
  };
}

/** A list of objects as a table, plain values a line each, and everything else as JSON. */
async function showAnswer(context: CommandContext, answer: JsonObject): Promise<void> {
  const members = Object.entries(answer);
  const plain = members.filter(([, value]) => !isRows(value));
  if (plain.length > 0) await context.fields(plain.map(([name, value]) => [name, textOf(value)]));
  for (const [label, value] of members) {
    if (!isRows(value)) continue;
    const names = [...new Set(value.flatMap((row) => Object.keys(row)))];
    const columns = names.map((header) => ({ header, value: (row: JsonObject) => textOf(row[header] ?? '') }));
    await context.table(value, columns, `${label}: none`);
  }
}

function isRows(value: JsonValue): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
}

function textOf(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? jsonText(value).trim() : String(value);
}
