import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef } from 'react';

interface EditedText {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  /** Returns the extensions of a new editor; it is created again when `madeAnewBy` changes. */
  readonly extensions: () => readonly Extension[];
  readonly madeAnewBy?: unknown;
  readonly attributes?: Readonly<Record<string, string>>;
  /** True if it takes the focus as soon as it appears. */
  readonly takesFocus?: boolean;
}

/** Texts of the editor itself, by its own wording. */
const WORDS = EditorState.phrases.of({
  'Fold line': t`Fold line`,
  'Unfold line': t`Unfold line`,
  'folded code': t`folded code`,
  unfold: t`unfold`,
  Completions: t`Completions`,
});

/** Returns a ref for the element that gets an editor. Input is passed to `onChange`, and a new value into the editor. */
export function useCodeMirror(edited: EditedText): RefObject<HTMLDivElement | null> {
  const { value, label, madeAnewBy } = edited;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(edited);
  latest.current = edited;

  // biome-ignore lint/correctness/useExhaustiveDependencies: all else is read when the editor is made
  useEffect(() => {
    if (place.current === null) return undefined;
    const { extensions, attributes, takesFocus = false } = latest.current;
    const editor = new EditorView({
      parent: place.current,
      doc: latest.current.value,
      extensions: [
        ...extensions(),
        WORDS,
        EditorView.lineWrapping,
        EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true', ...attributes }),
        EditorView.updateListener.of((update) => {
          const text = update.state.doc.toString();
          if (update.docChanged && text !== latest.current.value) latest.current.onChange(text);
        }),
      ],
    });
    view.current = editor;
    if (takesFocus) editor.focus();
    return () => editor.destroy();
  }, [label, madeAnewBy]);

  useEffect(() => {
    const shown = view.current?.state.doc.toString();
    if (shown === undefined || shown === value) return;
    view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: value } });
  }, [value]);

  return place;
}
