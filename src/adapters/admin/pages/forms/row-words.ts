import { t } from '@lingui/core/macro';

/** What the rows of a list are called. */
export interface RowWords {
  /** On the button for another one. */
  readonly add: string;
  /** One of them, by its number. */
  readonly row: (number: number) => string;
}

/** Rows that nobody has a word of their own for. */
export const ENTRIES: RowWords = { add: t`Add entry`, row: (number) => t`entry ${number}` };

export const CONDITIONS: RowWords = { add: t`Add condition`, row: (number) => t`condition ${number}` };

/** Lists in documents and options, by the member that holds them, with what stands there while they are empty. */
export const ROW_WORDS: Readonly<Record<string, RowWords & { readonly empty?: string }>> = {
  outcomes: {
    add: t`Add outcome`,
    row: (number) => t`outcome ${number}`,
    empty: t`There are no outcomes yet.`,
  },
  jobs: { add: t`Add job`, row: (number) => t`job ${number}`, empty: t`There are no jobs yet.` },
  custom_fields: { add: t`Add field`, row: (number) => t`field ${number}` },
  custom_ansible_variables: { add: t`Add variable`, row: (number) => t`variable ${number}` },
};
