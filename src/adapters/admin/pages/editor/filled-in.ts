/**
 * The text of a template as the JSON that it may render to, with every place where it was: a number for each value. Empty where
 * the template has statements, as what it renders to cannot be told then.
 */
export function filledIn(template: string): string {
  if (template.includes('{%')) return '';
  return template.replaceAll(/\{\{.*?\}\}|\{#.*?#\}/gs, (mark) =>
    (mark.startsWith('{#') ? '' : '0').padEnd(mark.length),
  );
}
