import { t } from '@lingui/core/macro';
import type { Labels } from '../host.ts';
import { isExact, isNumber } from './exact.ts';

type LabelValue = Labels[string];
type LabelScalar = Exclude<LabelValue, readonly unknown[]>;

export type ScalarKind = 'text' | 'number' | 'truth' | 'nothing';

/** A value during typing. The input is kept when the kind changes and changes back. */
export interface ScalarDraft {
  readonly id: number;
  readonly kind: ScalarKind;
  readonly text: string;
  readonly truth: boolean;
}

export interface LabelDraft {
  readonly id: number;
  readonly key: string;
  readonly value: ScalarDraft;
  /** The values of a list; absent for any other value. */
  readonly items?: readonly ScalarDraft[];
}

export interface LabelProblem {
  /** Id of the label or the item. */
  readonly id: number;
  readonly part: 'key' | 'value';
  readonly message: string;
}

let lastId = 0;

function nextId(): number {
  lastId += 1;
  return lastId;
}

export function emptyScalar(): ScalarDraft {
  return { id: nextId(), kind: 'text', text: '', truth: true };
}

export function emptyLabel(): LabelDraft {
  return { id: nextId(), key: '', value: emptyScalar() };
}

export function draftsOf(labels: Labels): readonly LabelDraft[] {
  return Object.entries(labels).map(([key, value]): LabelDraft => {
    const draft = { id: nextId(), key };
    if (isList(value)) return { ...draft, value: emptyScalar(), items: value.map(scalarDraft) };
    return { ...draft, value: scalarDraft(value) };
  });
}

function isList(value: LabelValue): value is readonly LabelScalar[] {
  return Array.isArray(value);
}

function scalarDraft(value: LabelScalar): ScalarDraft {
  const draft = emptyScalar();
  if (value === null) return { ...draft, kind: 'nothing' };
  if (typeof value === 'boolean') return { ...draft, kind: 'truth', truth: value };
  return { ...draft, kind: typeof value === 'number' ? 'number' : 'text', text: String(value) };
}

/** Returns the same with another kind: a truth value typed as text keeps its meaning. */
export function ofKind(draft: ScalarDraft, kind: ScalarKind): ScalarDraft {
  const said = draft.text.trim().toLowerCase();
  return kind === 'truth' && (said === 'true' || said === 'false')
    ? { ...draft, kind, truth: said === 'true' }
    : { ...draft, kind };
}

/** Returns the drafts without empty lines. */
export function writtenOf(drafts: readonly LabelDraft[]): readonly LabelDraft[] {
  return drafts.filter(({ key, value: { kind, text }, items }) => {
    return key !== '' || items !== undefined || kind !== 'text' || text !== '';
  });
}

/** Returns the errors that keep the drafts from being labels, by field. */
export function problemsOf(drafts: readonly LabelDraft[]): readonly LabelProblem[] {
  const keys = new Set<string>();
  return drafts.flatMap(({ id, key, value, items }) => {
    const problem = keyProblem(key, keys);
    keys.add(key);
    return [
      ...(problem === undefined ? [] : [{ id, part: 'key' as const, message: problem }]),
      ...(items ?? [value]).flatMap(scalarProblems),
    ];
  });
}

function keyProblem(key: string, others: ReadonlySet<string>): string | undefined {
  if (key === '') return t`Enter a name`;
  if (key.startsWith('$')) return t`A name cannot begin with $`;
  return others.has(key) ? t`There is a label with this name` : undefined;
}

function scalarProblems({ id, kind, text }: ScalarDraft): readonly LabelProblem[] {
  if (kind !== 'number') return [];
  const number = text.trim();
  if (!isNumber(number)) return [{ id, part: 'value', message: t`Enter a number, such as 8 or -2.5` }];
  if (!isExact(number)) return [{ id, part: 'value', message: t`Too large to be stored exactly; make it text` }];
  return [];
}

/** The labels that the drafts stand for; they must have no problems. */
export function labelsOf(drafts: readonly LabelDraft[]): Labels {
  return Object.fromEntries(drafts.map(({ key, value, items }) => [key, items?.map(scalarOf) ?? scalarOf(value)]));
}

function scalarOf({ kind, text, truth }: ScalarDraft): LabelScalar {
  switch (kind) {
    case 'text':
      return text;
    case 'number':
      return Number(text);
    case 'truth':
      return truth;
    case 'nothing':
      return null;
  }
}
