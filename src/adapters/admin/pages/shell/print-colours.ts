const SCHEME = 'data-mantine-color-scheme';

/** Paper is white: users of dark colours print in the light ones. */
export function printInLightColours(): void {
  const root = document.documentElement;
  let isLightened = false;

  function lighten(): void {
    if (root.getAttribute(SCHEME) !== 'dark') return;
    isLightened = true;
    root.setAttribute(SCHEME, 'light');
  }

  function putBack(): void {
    if (isLightened) root.setAttribute(SCHEME, 'dark');
    isLightened = false;
  }

  addEventListener('beforeprint', lighten);
  addEventListener('afterprint', putBack);
  // Print media emulated by developer tools only fire this event.
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? lighten() : putBack()));
}
