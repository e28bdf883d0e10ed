/**
 * Collects input from now on, for a field that is not there yet. The returned function ends it and returns the text; only the
 * first call returns any.
 */
export function collectKeys(): () => string {
  let text = '';
  function collect(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length !== 1 || ctrlKey || metaKey || altKey) return;
    text += key;
    event.preventDefault();
    // Letters are shortcuts if no field has the focus.
    event.stopImmediatePropagation();
  }
  window.addEventListener('keydown', collect, true);
  return () => {
    window.removeEventListener('keydown', collect, true);
    const collected = text;
    text = '';
    return collected;
  };
}
