import {
  AppError,
  type ConditionOperator,
  type JsonValue,
  RuleCompileError,
  type TemplateFilter,
} from '../../../ports/index.ts';
import { inTurnOf, ownedBy } from '../turns.ts';
import { pluginError } from './guard.ts';

/** Names that the language of rules has by itself: one of a plugin would never be asked. */
export interface OwnWords {
  readonly filters: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

/** Whose words they are. */
export interface WordOwner {
  readonly pluginId: string;
  /** Hides the secrets of the plugin's settings. */
  mask(text: string): string;
  readonly ownWords: OwnWords | undefined;
}

/** The filter with errors that name its plugin, and with answers that templates can use. */
export function checkedFilter(filter: TemplateFilter, owner: WordOwner): TemplateFilter {
  const { id, description } = filter;
  if (owner.ownWords?.filters.has(id) === true) throw taken('template filter', id);
  const call = { pluginId: owner.pluginId, what: `template filter ${id}` };
  const checked: TemplateFilter = {
    id,
    description,
    apply: (value, ...args) =>
      named({ call, owner }, () => inTurnOf(checked, () => plainValue(filter.apply(value, ...args)))),
  };
  ownedBy(call, checked);
  return checked;
}

/** The operator with errors that name its plugin, and with tests that answer true or false. */
export function checkedOperator(operator: ConditionOperator, owner: WordOwner): ConditionOperator {
  const { id, description, words } = operator;
  if (owner.ownWords?.operators.has(id) === true) throw taken('condition operator', id);
  const call = { pluginId: owner.pluginId, what: `condition operator ${id}` };
  const checked: ConditionOperator = {
    id,
    description,
    words,
    compile(text) {
      const test: unknown = compiled({ call, owner }, () => inTurnOf(checked, () => operator.compile(text)));
      if (typeof test !== 'function') throw new RuleCompileError(`${pluginText(call)} made no test of ${quoted(text)}`);
      return (value) =>
        named({ call, owner }, () =>
          inTurnOf(checked, () => {
            const holds: unknown = test(value);
            if (typeof holds === 'boolean') return holds;
            discard(holds);
            throw new AppError('failed', `${pluginText(call)} answered ${kindOf(holds)} instead of true or false`);
          }),
        );
    },
  };
  ownedBy(call, checked);
  return checked;
}

function taken(kind: string, id: string): AppError {
  return new AppError('conflict', `${kind} ${id} is part of the language of rules itself; choose another name`);
}

interface Named {
  readonly call: { readonly pluginId: string; readonly what: string };
  readonly owner: WordOwner;
}

function named<T>({ call, owner }: Named, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new AppError('failed', owner.mask(pluginError(call, error).message));
  }
}

/** A text that an operator cannot use is the fault of the rule, and the words of the plugin say what is wrong with it. */
function compiled<T>({ call, owner }: Named, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new RuleCompileError(owner.mask(pluginError(call, error).message));
  }
}

function pluginText({ pluginId, what }: Named['call']): string {
  return `plugin ${pluginId}: ${what}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

const DEEPEST = 50;

/** Returns the value as JSON has it. Throws for anything else, which an inventory would show as `[object Promise]`. */
function plainValue(value: unknown, depth = 0): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (depth > DEEPEST) throw new Error('it answered a value that is nested too deeply');
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  if (!isPlainObject(value)) {
    discard(value);
    throw new Error(`it answered ${kindOf(value)}, which is not a value that templates can use`);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainValue(item, depth + 1)]));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Ignores the outcome of a promise that was returned instead of a value. */
function discard(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  return value instanceof Promise ? 'a promise' : 'an object of a class';
}
