import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';

export type PastRun = OfferedOutput<'runs/list-runs'>['runs'][number];
export type ActiveRun = OfferedOutput<'runs/list-active'>['runs'][number];

export const KIND_WORDS: Readonly<Record<PastRun['kind'], string>> = {
  import: t`Import`,
  export: t`Export`,
  plan: t`Plan`,
  cron: t`Cron group`,
  playbook: t`Playbook`,
};

/** `Import of datacentre`. */
export function titleOf(kind: PastRun['kind'], name: string): string {
  switch (kind) {
    case 'import':
      return t`Import of ${name}`;
    case 'export':
      return t`Export of ${name}`;
    case 'plan':
      return t`Plan of ${name}`;
    case 'cron':
      return t`Cron group of ${name}`;
    case 'playbook':
      return t`Playbook of ${name}`;
  }
}

export const OUTCOME_WORDS: Readonly<Record<PastRun['outcome'], string>> = {
  done: t`done`,
  partial: t`partly done`,
  failed: t`failed`,
  cancelled: t`cancelled`,
  undone: t`undone`,
  running: t`running`,
  waiting: t`waiting`,
  discarded: t`discarded`,
};

export const OUTCOME_TONES = {
  done: 'good',
  partial: 'warning',
  failed: 'bad',
  cancelled: 'warning',
  undone: 'warning',
  running: 'busy',
  waiting: 'quiet',
  discarded: 'quiet',
} as const;
