import { createContext, useContext } from 'react';
import type { JsonObject, JsonValue } from '../../../../ports/index.ts';
import { type Path, valueAt } from './document.ts';

/** The document that a form edits, for the fields below it. */
export interface Draft {
  readonly document: JsonObject;
  readonly isReadOnly: boolean;
  /** `undefined` takes the member away. */
  set(path: Path, value: JsonValue | undefined): void;
  /** Returns the error at a place, in the words of the service. */
  problem(path: Path): string | undefined;
}

const DraftContext = createContext<Draft | undefined>(undefined);
export const DraftProvider = DraftContext.Provider;

export function useDraft(): Draft {
  const draft = useContext(DraftContext);
  if (draft === undefined) throw new Error('fields stand in a form');
  return draft;
}

/** One member of the document: its value, its problem, and how to change it. */
export function useMember(path: Path) {
  const draft = useDraft();
  return {
    value: valueAt(draft.document, path),
    error: draft.problem(path),
    isReadOnly: draft.isReadOnly,
    set: (value: JsonValue | undefined) => draft.set(path, value),
  };
}
