/**
 * Returns the text of a template as the JSON that it may render to, with a number in place of each value. Empty if the template
 * has statements, because its result cannot be predicted then.
 */
export function filledIn(template: string): string {
  if (template.includes('{%')) return '';
  return template.replaceAll(/\{\{.*?\}\}|\{#.*?#\}/gs, (mark) =>
    (mark.startsWith('{#') ? '' : '0').padEnd(mark.length),
  );
}
