import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { isChanged, showProblem } from '../../calls/use-call.ts';
import { tellWithUndo } from '../../parts/tell-with-undo.tsx';
import { CHANGED_BY_RULES, type RuleTypeInfo, servesInventory } from '../rule-type.ts';
import { SeeEffect } from '../see-effect.tsx';
import type { Step } from './places.ts';

interface Move {
  /** One after the other. */
  readonly steps: readonly Step[];
  readonly said: string;
  /** Of the inventory whose rules they are; `automation` when absent. */
  readonly provider?: string | undefined;
  /** How it is taken back; absent for what takes something back. */
  readonly back?: readonly Step[];
}

/** Brings rules to another place, with the way back. */
export function useMove(type: RuleTypeInfo) {
  const queries = useQueryClient();
  const showsEffect = may(useSession(), 'inventory/compare-times') && servesInventory(type);
  const move = useMutation<unknown, CallError, Move, Date>({
    onMutate: () => new Date(),
    async mutationFn({ steps }) {
      for (const { rules, place } of steps) {
        await call('rules/move-rules', { rule_type: type.id, rules: [...rules], ...place });
      }
    },
    async onSuccess(_, { said, provider = 'automation', back }, began) {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
      if (back === undefined) return;
      const undo = (): void => move.mutate({ steps: back, said: '' });
      tellWithUndo(said, undo, showsEffect && <SeeEffect since={began} provider={provider} />);
    },
    onError: showProblem,
  });
  return move;
}
