import type { Draft } from '../forms/draft.ts';
import type { Field } from '../forms/schema.ts';

interface OptionDraftProps {
  readonly options: ReadonlyMap<string, Field>;
  /** Texts by name of setting. */
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
  readonly problems: ReadonlyMap<string, string>;
}

/** The options of an account as the document of a form: texts; an empty one is not set. */
export function optionDraft({ options, values, set, problems }: OptionDraftProps): Draft {
  return {
    document: { ...Object.fromEntries([...options.keys()].map((name) => [name, ''])), ...values },
    isReadOnly: false,
    set([step], value) {
      const name = String(step);
      const option = options.get(name);
      const chosen = value === undefined ? '' : String(value);
      // A chosen default need not be stored; typed text may be on its way to another value.
      const isChosen = option === undefined || option.kind === 'flag' || option.kind === 'choice';
      set(name, isChosen && chosen === (option?.fallback ?? 'false') ? '' : chosen);
    },
    problem: ([name]) => problems.get(String(name)),
  };
}
