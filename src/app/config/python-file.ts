import { AppError } from '../../ports/index.ts';
import { parseLiteralOrJson } from '../domain/templating/python-literal.ts';

/** Existing files begin with imports that their values no longer need once nothing is executed. */
const IMPORT = /^(?:import|from)\s+[\w.]+(?:\s+import\s+[\w, *]+)?(?:\s+as\s+\w+)?\s*(?:#.*)?$/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)\s*/;

/**
 * Reads `local_config.py` as data: top-level `KEY = literal` assignments and a `config = {…}` dict of literals. Nothing
 * is executed; a line that is neither such an assignment nor a plain import is an error naming it.
 */
export function parsePythonConfig(text: string): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const lines = text.split(/\r?\n/);
  let index = 0;
  while (index < lines.length) {
    const start = index;
    const line = lines[index] ?? '';
    index++;
    if (line.trim() === '' || line.trimStart().startsWith('#') || IMPORT.test(line)) continue;
    const match = ASSIGNMENT.exec(line);
    if (match === null) throw notData(start, line);
    let literal = line.slice(match[0].length);
    let value = readLiteral(literal);
    while (value === undefined && index < lines.length) {
      literal += `\n${lines[index]}`;
      index++;
      value = readLiteral(literal);
    }
    if (value === undefined) throw notData(start, line);
    assign(values, match[1] as string, value.value);
  }
  return Object.fromEntries(values);
}

function assign(values: Map<string, unknown>, name: string, value: unknown): void {
  if (name === 'config' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) values.set(key, member);
  } else {
    values.set(name, value);
  }
}

function readLiteral(text: string): { value: unknown } | undefined {
  const value = parseLiteralOrJson(withoutComments(text));
  return value === undefined ? undefined : { value };
}

/** Drops `#` comments outside of quotes. */
function withoutComments(text: string): string {
  return text
    .replace(/('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|#[^\n]*/g, (_all, quoted: string | undefined) => quoted ?? '')
    .trim();
}

function notData(index: number, line: string): AppError {
  return new AppError(
    'invalid_input',
    `line ${index + 1} is no assignment of a literal value (${line.trim().slice(0, 60)}); the file is read as data and never executed`,
  );
}
