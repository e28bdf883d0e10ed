import { t } from '@lingui/core/macro';

/** Words for the rows of a list. */
export interface RowWords {
  /** Label of the button that adds a row. */
  readonly add: string;
  /** Returns the name of a row, by its number. */
  readonly row: (number: number) => string;
}

/** Default for rows without words of their own. */
export const ENTRIES: RowWords = { add: t`Add entry`, row: (number) => t`entry ${number}` };

export const CONDITIONS: RowWords = { add: t`Add condition`, row: (number) => t`condition ${number}` };

/** Lists in documents and options, by the member that holds them, with the text shown while they are empty. */
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
