import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { CallError } from '../calls/call.ts';
import { documentText, readDocument, valueAt, withValue } from '../forms/document.ts';
import type { Draft } from '../forms/draft.ts';

interface Problem {
  readonly path: string;
  readonly message: string;
  /** Value at the time of the service's check. */
  readonly value: string;
}

export interface RuleDraft extends Draft {
  /** The document as typed; while it is invalid, `document` is the last valid one. */
  readonly text: string;
  readonly textError: string | undefined;
  readonly isChanged: boolean;
  /** Problems of places that no field stands for. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  setText(text: string): void;
  /** Puts the problems of a refusal to their places. */
  complain(error: CallError, prefix: string): void;
  /** Marks the present content as stored. */
  accept(): void;
  /** Begins again with this document. */
  reset(document: JsonObject): void;
  /** Treats another document as input. */
  replace(document: JsonObject): void;
}

/** A document while it is edited: as a form and as text, both the same. */
export function useRuleDraft(initial: JsonObject, isReadOnly: boolean): RuleDraft {
  const [base, setBase] = useState(() => JSON.stringify(initial));
  const [document, setDocument] = useState(initial);
  const [text, setText] = useState(() => documentText(initial));
  const [textError, setTextError] = useState<string>();
  const [reported, setReported] = useState<readonly Problem[]>([]);

  // A problem remains until its value is changed.
  const problems = useMemo(
    () => reported.filter(({ path, value }) => stateAt(document, path) === value),
    [reported, document],
  );

  return {
    document,
    text,
    textError,
    isReadOnly,
    isChanged: textError !== undefined || JSON.stringify(document) !== base,
    problems,
    set(path, value) {
      const changed = withValue(document, path, value) as JsonObject;
      setDocument(changed);
      setText(documentText(changed));
      setTextError(undefined);
    },
    problem: (path) => problems.find((problem) => problem.path === path.join('.'))?.message,
    setText(next) {
      setText(next);
      const read = readDocument(next);
      setTextError(typeof read === 'string' ? read : undefined);
      if (typeof read !== 'string') setDocument(read);
    },
    complain(error, prefix) {
      setReported(
        error.details.map(({ path, message }) => {
          const place = path === prefix ? '' : path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : path;
          return { path: place, message, value: stateAt(document, place) };
        }),
      );
    },
    replace(next) {
      setDocument(next);
      setText(documentText(next));
      setTextError(undefined);
    },
    accept: () => setBase(JSON.stringify(document)),
    reset(next) {
      setBase(JSON.stringify(next));
      setDocument(next);
      setText(documentText(next));
      setTextError(undefined);
      setReported([]);
    },
  };
}

function stateAt(document: JsonObject, path: string): string {
  const steps = path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return JSON.stringify(valueAt(document, steps)) ?? '';
}
