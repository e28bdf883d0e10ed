import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { filledIn } from './filled-in.ts';
import { jsonProblem } from './json-problem.ts';
import { useCodeMirror } from './use-code-mirror.ts';

export interface CodeEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isReadOnly: boolean;
  readonly label: string;
  /** True if the text is a template that renders to JSON. */
  readonly isTemplate?: boolean;
}

/** A JSON text, or a template of one, with line numbers, colours and the place of its error. Tab moves on to the next field, as in every other one. */
export function CodeEditor({ value, onChange, isReadOnly, label, isTemplate = false }: CodeEditorProps) {
  const place = useCodeMirror({
    value,
    onChange,
    label,
    madeAnewBy: isReadOnly,
    extensions: () => [
      history(),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
      bracketMatching(),
      closeBrackets(),
      syntaxHighlighting(COLOURS),
      json(),
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      linter((shown) => problemsOf(isTemplate ? filledIn(shown.state.doc.toString()) : shown.state.doc.toString())),
      EditorView.editable.of(!isReadOnly),
      EditorState.readOnly.of(isReadOnly),
    ],
  });
  return <div ref={place} className="code-editor" />;
}

/** Readable in light and dark: the variables have a value for each. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-value)' },
]);

function problemsOf(text: string): readonly Diagnostic[] {
  const problem = text === '' ? undefined : jsonProblem(text);
  if (problem === undefined) return [];
  const from = Math.min(problem.offset, Math.max(0, text.length - 1));
  return [{ from, to: Math.min(text.length, from + 1), severity: 'error', message: problem.message }];
}
