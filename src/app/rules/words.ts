/** Words for the effect of a version on its document. */
export const VERSION_WORDS: Readonly<Record<'created' | 'replaced' | 'removed', string>> = {
  created: 'created',
  replaced: 'changed',
  removed: 'deleted',
};
