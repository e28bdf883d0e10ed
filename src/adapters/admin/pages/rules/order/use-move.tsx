import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { isChanged, showProblem } from '../../calls/use-call.ts';
import { reportWithUndo } from '../../parts/report-with-undo.tsx';
import { CHANGED_BY_RULES, type RuleTypeInfo, servesInventory } from '../rule-type.ts';
import { SeeEffect } from '../see-effect.tsx';
import type { Step } from './places.ts';

interface Move {
  /** Absent if an earlier move is undone. */
  readonly step?: Step;
  /** Rules with the very positions that they get back. */
  readonly back?: Changed;
  readonly said: string;
  /** Inventory of the rules; `automation` when absent. */
  readonly provider?: string | undefined;
}

type Changed = OfferedOutput<'rules/move-rules'>['changed'];

/** Brings rules to another place, with the way back. */
export function useMove(type: RuleTypeInfo) {
  const queries = useQueryClient();
  const showsEffect = may(useSession(), 'inventory/compare-times') && servesInventory(type);
  const move = useMutation<Changed, CallError, Move, Date>({
    onMutate: () => new Date(),
    async mutationFn({ step, back = [] }) {
      const where =
        step === undefined
          ? { rules: back.map(({ id }) => id), sort_fields: back.map(({ was }) => was) }
          : { rules: [...step.rules], ...step.place };
      return (await call('rules/move-rules', { rule_type: type.id, ...where })).changed;
    },
    async onSuccess(changed, { said, provider = 'automation', back }, began) {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
      if (back !== undefined || changed.length === 0) return;
      const undo = (): void => move.mutate({ back: changed, said: '' });
      reportWithUndo(said, undo, showsEffect && <SeeEffect since={began} provider={provider} />);
    },
    onError: showProblem,
  });
  return move;
}
