/** One statement of a Python file, without its comments. */
export interface PythonStatement {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const OPENING = '([{';
const CLOSING = ')]}';

/**
 * Cuts a file into statements as Python does: by line ends and semicolons, but not inside of brackets and texts, nor behind
 * a backslash. What is not closed makes the last statement.
 */
export function pythonStatements(source: string): readonly PythonStatement[] {
  const text = source.replaceAll(/\r\n?/g, '\n');
  const statements: PythonStatement[] = [];
  let current = '';
  let line = 1;
  let start = 1;
  let depth = 0;

  function finish(next: number): void {
    if (current.trim() !== '') statements.push({ line: start, text: current.trimEnd() });
    current = '';
    start = next;
  }

  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (current.trim() === '') start = line;
    if (character === '#') {
      at = endOfLine(text, at);
    } else if (character === '"' || character === "'") {
      const end = endOfText(text, at);
      const piece = text.slice(at, end);
      current += piece;
      line += piece.split('\n').length - 1;
      at = end;
    } else if (character === '\\' && text[at + 1] === '\n') {
      current += ' ';
      line++;
      at += 2;
    } else if (depth === 0 && (character === '\n' || character === ';')) {
      if (character === '\n') line++;
      finish(line);
      at++;
      // Blanks after a semicolon do not count as indentation.
      if (character === ';') while (text[at] === ' ' || text[at] === '\t') at++;
    } else {
      if (character === '\n') line++;
      if (OPENING.includes(character)) depth++;
      else if (CLOSING.includes(character)) depth = Math.max(0, depth - 1);
      current += character;
      at++;
    }
  }
  finish(line);
  return statements;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Behind the closing quotation mark. A text of one line that is not closed there ends with it. */
function endOfText(text: string, from: number): number {
  const mark = text.charAt(from);
  const isTriple = text.startsWith(mark.repeat(3), from);
  const closing = isTriple ? mark.repeat(3) : mark;
  for (let at = from + closing.length; at < text.length; at++) {
    // In raw texts too, a backslash keeps the mark behind it from closing.
    if (text[at] === '\\') at++;
    else if (text.startsWith(closing, at)) return at + closing.length;
    else if (!isTriple && text[at] === '\n') return at;
  }
  return text.length;
}
