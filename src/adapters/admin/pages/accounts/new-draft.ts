/** Input for a new account, kept while the user switches between its forms. */
export interface NewDraft {
  readonly name: string;
  /** Texts by name of setting. */
  readonly values: Readonly<Record<string, string>>;
  readonly password: string;
  /** References to stored secrets, by name of setting. */
  readonly references: Readonly<Record<string, string>>;
  readonly object: boolean;
  readonly objectType: string;
}

export const NO_DRAFT: NewDraft = { name: '', values: {}, password: '', references: {}, object: false, objectType: '' };

/** Written by the form that is shown, read by the one that comes next. */
export interface KeptDraft {
  current: NewDraft;
}
