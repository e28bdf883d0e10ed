/** What a version of a document did to it. */
export const VERSION_WORDS: Readonly<Record<'created' | 'replaced' | 'removed', string>> = {
  created: 'created',
  replaced: 'changed',
  removed: 'deleted',
};
