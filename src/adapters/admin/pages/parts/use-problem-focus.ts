import { type RefObject, useEffect, useRef } from 'react';

/** The library marks password fields another way than the others. */
const WRONG = '[aria-invalid="true"], input[data-invalid="true"]';

/** For a form: after a refusal, the focus moves to the first field that is wrong, or to the errors above them. */
export function useProblemFocus(problem: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem === null || problem === undefined) return;
    const field = form.current?.querySelector<HTMLElement>(WRONG);
    if (field) field.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [problem]);
  return form;
}
