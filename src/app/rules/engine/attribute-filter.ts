import type { JsonValue } from '../../../ports/json.ts';
import type { AttributeFiltering, FilterLine } from '../../../ports/rule-type.ts';
import { scalarText } from '../document/members.ts';

/** The filter lines that the rules of one host added, in order. */
export class AttributeFilter implements AttributeFiltering {
  #lines: FilterLine[] = [];
  #ignored = false;

  clear(): void {
    if (this.#lines.length > 0) this.#lines = [];
    this.#ignored = false;
  }

  get ignored(): boolean {
    return this.#ignored;
  }

  get lines(): readonly FilterLine[] {
    return this.#lines;
  }

  add(line: FilterLine): void {
    this.#lines.push(line);
  }

  ignoreHost(): void {
    this.#ignored = true;
  }

  shows(name: string, value: JsonValue): boolean {
    return this.decidingLine(name, value)?.show ?? false;
  }

  /** The last line that fits; `undefined` when none does, which hides the attribute. */
  decidingLine(name: string, value: JsonValue): FilterLine | undefined {
    const lines = this.#lines;
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines[index];
      if (line !== undefined && fits(line, name, value)) return line;
    }
    return undefined;
  }
}

function fits(line: FilterLine, name: string, value: JsonValue): boolean {
  const text = line.on === 'name' ? name : scalarText(value);
  if (text === undefined) return false;
  return line.prefix ? text.startsWith(line.text) : text === line.text;
}
