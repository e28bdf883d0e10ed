/** Moves the focus to the first field to correct. */
export function focusFirstProblem(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
