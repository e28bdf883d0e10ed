import { t } from '@lingui/core/macro';

type Control = 'first' | 'previous' | 'next' | 'last';

/** What the buttons between pages of a list say to screen readers. `of` is what the list has. */
export function pageButtonsOf(of: string) {
  const controls: Readonly<Record<Control, string>> = {
    first: t`first page of ${of}`,
    previous: t`previous page of ${of}`,
    next: t`next page of ${of}`,
    last: t`last page of ${of}`,
  };
  return {
    getControlProps: (control: Control) => ({ 'aria-label': controls[control] }),
    getItemProps: (page: number) => ({ 'aria-label': t`page ${page} of ${of}` }),
  };
}
