// Makes calls of the catalogue out of the texts that pages mark with the macros of Lingui (t, plural, Trans, …).
// The English text itself is the key: it stands in the page, so English needs no catalogue, and a text that nobody translated yet is English.
import { transformAsync } from '@babel/core';
import macro from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** Between the context of a text and the text, as gettext has it. */
const CONTEXT_END = '\u0004';

/** The key of a text in catalogues. */
export function keyOf(message, context) {
  return context === undefined ? message : `${context}${CONTEXT_END}${message}`;
}

/** Whether a file marks any text. */
export function hasMessages(source) {
  return source.includes("'@lingui/");
}

/**
 * The source of a page with its marked texts made calls, and those texts. `runtime` is the module that has `i18n`.
 * @returns {Promise<{ code: string, messages: { message: string, context: string | undefined }[] }>}
 */
export async function withMessages(source, path, runtime) {
  const messages = [];
  const { code } = await transformAsync(source, {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    generatorOpts: { jsescOption: { minimal: true } },
    plugins: [
      [macro, { extract: true, stripMessageField: false, linguiConfig: configOf(runtime) }],
      keyedByText((message, context) => messages.push({ message, context })),
    ],
  });
  return { code, messages };
}

function configOf(runtime) {
  const runtimeConfigModule = { i18n: [runtime, 'i18n'] };
  return makeConfig({ locales: ['en'], sourceLocale: 'en', runtimeConfigModule }, { skipValidation: true });
}

/** Replaces the hashes that the macros make by the texts, and the texts by what the runtime needs no parser for. */
function keyedByText(found) {
  return ({ types }) => {
    function key(descriptor) {
      const member = (name) => descriptor.properties.find((one) => one.key?.name === name);
      const [id, message, context] = ['id', 'message', 'context'].map(member);
      if (message?.value.type !== 'StringLiteral') return;
      const text = message.value.value;
      found(text, context?.value.value);
      id.value = types.stringLiteral(keyOf(text, context?.value.value));
      if (isPlain(text) && context === undefined) remove(descriptor, message);
      else message.value = types.valueToNode(compiled(text));
      remove(descriptor, context);
    }
    return {
      visitor: {
        Program: {
          exit(program) {
            program.traverse({
              CallExpression({ node: { callee, arguments: passed } }) {
                if (callee.property?.name === '_' && passed[0]?.type === 'ObjectExpression') key(passed[0]);
              },
              JSXSpreadAttribute({ node: { argument }, parent }) {
                if (parent.name.name === '_Trans' && argument.type === 'ObjectExpression') key(argument);
              },
            });
          },
        },
      },
    };
  };
}

function remove(descriptor, member) {
  descriptor.properties = descriptor.properties.filter((one) => one !== member);
}

/** What the runtime makes a text of: words, and arrays where something is put in. Without members that have no value. */
export function compiled(message) {
  return JSON.parse(JSON.stringify(compileMessage(message)));
}

/** A text that says itself: it is its own key, and needs no compiled form. */
function isPlain(message) {
  const parts = compiled(message);
  return parts.length === 1 && parts[0] === message && !message.includes('\\');
}
