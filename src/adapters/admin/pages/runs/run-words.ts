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

export const OUTCOME_WORDS: Readonly<Record<PastRun['outcome'], string>> = {
  done: 'done',
  partial: t`partly done`,
  failed: 'failed',
  running: 'running',
  waiting: 'ready',
};

export const OUTCOME_TONES = {
  done: 'good',
  partial: 'warning',
  failed: 'bad',
  running: 'busy',
  waiting: 'quiet',
} as const;
