import type { ExtraVariables, JsonValue } from '../../../ports/index.ts';

/**
 * Further variables as a YAML document. In a file, because everybody on the machine may read the arguments of a process. Texts
 * are marked as unsafe unless their author is trusted: Ansible never evaluates template text in those.
 */
export function variablesDocument({ values, templates }: ExtraVariables): string {
  return `${node(values, templates ? '' : '!unsafe ')}\n`;
}

/** JSON is YAML, but for the tags, which JSON has no place for. */
function node(value: JsonValue, tag: string): string {
  if (typeof value === 'string') return `${tag}${quoted(value)}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => node(item, tag)).join(', ')}]`;
  const members = Object.entries(value).map(([name, item]) => `${quoted(name)}: ${node(item, tag)}`);
  return `{${members.join(', ')}}`;
}

/** As JSON writes it, with everything that YAML refuses in a text or cannot put together written as an escape. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  });
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
