import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { closePercentBrace, jinja } from '@codemirror/lang-jinja';
import {
  bracketMatching,
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useCodeMirror } from '../../editor/use-code-mirror.ts';
import type { TemplateWord, TemplateWords } from './template-words.ts';

interface TemplateEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly words: () => Promise<TemplateWords>;
  readonly label: string;
}

/** A template with colours; attributes, filters and functions are offered. Tab moves on, as in every other field. */
export function TemplateEditor({ value, onChange, words, label }: TemplateEditorProps) {
  const place = useCodeMirror({
    value,
    onChange,
    label,
    takesFocus: true,
    // Escape closes the list of suggestions, and not the dialog.
    attributes: { 'data-mantine-stop-propagation': 'true' },
    extensions: () => [
      history(),
      keymap.of([...completionKeymap, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
      bracketMatching(),
      closeBrackets(),
      closePercentBrace,
      syntaxHighlighting(COLOURS),
      // Outside of its marks a template is any text, and not HTML.
      jinja({ base: new LanguageSupport(StreamLanguage.define({ token: anyText })) }),
      autocompletion({ override: [(context) => completions(context, words)], icons: false }),
      EditorState.tabSize.of(2),
    ],
  });
  return <div ref={place} className="code-editor template-editor" />;
}

function anyText(stream: { skipToEnd(): void }): null {
  stream.skipToEnd();
  return null;
}

/** Uses the colours of the theme, which are legible in light and dark. */
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--template-keyword)', fontWeight: '600' },
  { tag: [tags.brace, tags.processingInstruction, tags.meta], color: 'var(--template-mark)', fontWeight: '600' },
  { tag: [tags.string, tags.number, tags.bool], color: 'var(--template-literal)' },
  { tag: [tags.function(tags.variableName), tags.special(tags.variableName)], color: 'var(--template-filter)' },
  { tag: tags.comment, color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
]);

/** Filters behind a bar, else attributes and functions, within the marks of a template. */
async function completions(
  context: CompletionContext,
  load: () => Promise<TemplateWords>,
): Promise<CompletionResult | null> {
  const before = context.state.sliceDoc(0, context.pos);
  if (!isWithinMarks(before)) return null;
  const word = context.matchBefore(/\w*/);
  const from = word?.from ?? context.pos;
  const isFilter = /\|\s*$/.test(before.slice(0, from));
  if (from === context.pos && !context.explicit && !isFilter) return null;
  const words = await load().catch(() => undefined);
  if (words === undefined) return null;
  const options = isFilter
    ? words.filters.map((each) => optionOf(each, 'function'))
    : [
        ...words.attributes.map((each) => optionOf(each, 'variable')),
        ...words.functions.map((each) => optionOf(each, 'function')),
      ];
  return { from, options, validFor: /^\w*$/ };
}

function optionOf({ name, detail }: TemplateWord, type: string): Completion {
  return { label: name, detail, type };
}

function isWithinMarks(text: string): boolean {
  const opened = Math.max(text.lastIndexOf('{{'), text.lastIndexOf('{%'));
  return opened >= 0 && opened > Math.max(text.lastIndexOf('}}'), text.lastIndexOf('%}'));
}
