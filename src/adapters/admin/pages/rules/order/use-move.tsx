import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OfferedInput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { isChanged, showProblem } from '../../calls/use-call.ts';
import { tellWithUndo } from '../../parts/tell-with-undo.tsx';
import type { FoundRule } from '../rule-columns.tsx';
import { CHANGED_BY_RULES, type RuleTypeInfo, servesInventory } from '../rule-type.ts';
import { SeeEffect } from '../see-effect.tsx';

export type PlaceInput = Pick<OfferedInput<'rules/move-rules'>, 'before' | 'after' | 'to'>;

interface Move {
  readonly rules: readonly string[];
  readonly place: PlaceInput;
  readonly said: string;
  /** Of the inventory whose rules they are; `automation` when absent. */
  readonly provider?: string | undefined;
  /** How it is taken back; absent for what takes something back. */
  readonly back?: { readonly rules: readonly string[]; readonly place: PlaceInput };
}

/** Brings rules to another place, with the way back. */
export function useMove(type: RuleTypeInfo) {
  const queries = useQueryClient();
  const showsEffect = may(useSession(), 'inventory/compare-times') && servesInventory(type);
  const move = useMutation<unknown, CallError, Move, Date>({
    onMutate: () => new Date(),
    mutationFn: ({ rules, place }) => call('rules/move-rules', { rule_type: type.id, rules: [...rules], ...place }),
    async onSuccess(_, { said, provider = 'automation', back }, began) {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
      if (back === undefined) return;
      const undo = (): void => move.mutate({ ...back, said: '' });
      tellWithUndo(said, undo, showsEffect && <SeeEffect since={began} provider={provider} />);
    },
    onError: showProblem,
  });
  return move;
}

/** The rules as they stand once the move is done, as far as they are here. */
export function afterMove(rules: readonly FoundRule[], { rules: moved, place }: Move): readonly FoundRule[] {
  const taken = rules.filter(({ id }) => moved.includes(id));
  const rest = rules.filter(({ id }) => !moved.includes(id));
  const at = rest.findIndex(({ id }) => id === (place.before ?? place.after));
  if (at === -1) return rules;
  const index = place.before === undefined ? at + 1 : at;
  return [...rest.slice(0, index), ...taken, ...rest.slice(index)];
}

/** The place that a rule has now, by a rule beside it. */
export function placeOf(rules: readonly FoundRule[], id: string): PlaceInput {
  const index = rules.findIndex((rule) => rule.id === id);
  const before = rules[index - 1];
  if (before !== undefined) return { after: before.id };
  const next = rules[index + 1];
  return next === undefined ? { to: 'first' } : { before: next.id };
}
