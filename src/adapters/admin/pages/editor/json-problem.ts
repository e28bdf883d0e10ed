import { t } from '@lingui/core/macro';

export interface JsonProblem {
  readonly message: string;
  readonly offset: number;
}

/** Returns the JSON error of a text, and its place; browsers report the place in different ways, or not at all. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(said)?.[1];
    const place = /line (\d+) column (\d+)/.exec(said);
    const offset =
      position !== undefined
        ? Number(position)
        : place === null
          ? text.length
          : offsetOf(text, Number(place[1]), Number(place[2]));
    const line = text.slice(0, offset).split('\n').length;
    return { message: t`Line ${line}: ${{ problem: plain(said) }}`, offset };
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.join('\n').length + (line > 1 ? 1 : 0) + column - 1;
}

/** Removes the place, which is shown in lines. */
function plain(said: string): string {
  if (/end of (JSON input|data)/.test(said)) return t`the text ends before the document does`;
  return said.replace(/ ?(in JSON )?at position \d+.*$/, '').replace(/^JSON\.parse: /, '');
}
