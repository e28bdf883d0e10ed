/** How a run ended: an import or an export. */
export const RUN_STATUS_WORDS: Readonly<Record<'done' | 'partial' | 'failed', string>> = {
  done: 'done',
  partial: 'partly done',
  failed: 'failed',
};
