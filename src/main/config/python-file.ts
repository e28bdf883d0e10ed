import { parseLiteralOrJson } from '../../jinja/python-literal.ts';
import { AppError } from '../../ports/index.ts';
import { type PythonStatement, pythonStatements } from './python-statements.ts';

/** Existing files begin with imports that their values no longer need once nothing is executed. */
const IMPORT = /^(?:import|from)\s+[\w.]+(?:\s+import\s+[\w,*()\s]+)?(?:\s+as\s+\w+)?$/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)/;
/** A text that stands alone describes the file, or the value before it. */
const TEXT = /^[rRuU]?["']/;

/**
 * Reads `local_config.py` as data: top-level `KEY = literal` assignments and a `config = {…}` dict of literals, with
 * comments, blank lines and texts that describe them. Nothing is executed; anything else but a plain import is an error that
 * names its line.
 */
export function parsePythonConfig(text: string): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const statement of pythonStatements(text)) {
    if (IMPORT.test(statement.text) || isDescription(statement.text)) continue;
    const match = ASSIGNMENT.exec(statement.text);
    if (match === null) throw notData(statement);
    const value = parseLiteralOrJson(statement.text.slice(match[0].length).trim());
    if (value === undefined) throw notData(statement);
    assign(values, match[1] as string, value);
  }
  return Object.fromEntries(values);
}

function isDescription(text: string): boolean {
  return TEXT.test(text) && typeof parseLiteralOrJson(text) === 'string';
}

function assign(values: Map<string, unknown>, name: string, value: unknown): void {
  if (name === 'config' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, member] of Object.entries(value)) values.set(key, member);
  } else {
    values.set(name, value);
  }
}

/** Shows what is assigned to, and not the value: that may be a key or a password with a mistake in it. */
function notData({ line, text }: PythonStatement): AppError {
  const name = ASSIGNMENT.exec(text)?.[1];
  const shown = name === undefined ? (text.trim().split('\n', 1)[0] ?? '').slice(0, 60) : `${name} = …`;
  return new AppError(
    'invalid_input',
    `line ${line} is not an assignment of a literal value (${shown}); the file is read as data and never executed`,
  );
}
