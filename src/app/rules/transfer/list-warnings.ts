import { compileTemplate, TemplateSyntaxError } from '../../../jinja/template.ts';
import { isListRule } from '../../../kit/document/list-rule.ts';
import { memberObjects, memberText } from '../../../kit/document/members.ts';
import { readPastedList, rowName } from '../../../kit/document/pasted-list.ts';
import type { ErrorDetail, RuleCompiler, RuleDocument, RuleLanguage, RuleType } from '../../../ports/index.ts';
import { filtersOf, TextCompiler } from '../engine/compiler.ts';
import { checkingWith } from '../engine/document-problems.ts';

/** Names that templates can read from a row in addition to the columns. */
const ROW_NAMES = ['HOSTNAME', 'row', 'row_idx'];
/** Number of lines that a warning names. */
const NAMED = 10;

/** Returns warnings for the parts of a pasted list that will have no effect although the rule works. */
export function listWarnings(document: RuleDocument, type: RuleType, language: RuleLanguage): readonly ErrorDetail[] {
  if (type.takesList !== true || !isListRule(document)) return [];
  const { columns, rows, problems } = readPastedList(memberText(document, 'list_source'));
  if (problems.length > 0) return [];
  const nameless = rows.filter((row) => rowName(row) === '').map(({ line }) => line);
  const known = new Set([...columns, ...ROW_NAMES]);
  return [
    ...memberObjects(document, 'outcomes').flatMap((outcome, index) => {
      const missing = namesRead({ ...document, outcomes: [outcome] }, type, language).filter(
        (name) => !known.has(name),
      );
      return missing.map((name) => ({ path: `outcomes.${index}`, message: missingText(name, columns) }));
    }),
    ...(nameless.length === 0 ? [] : [{ path: 'list_source', message: namelessText(nameless) }]),
  ];
}

function missingText(name: string, columns: readonly string[]): string {
  return `reads ${name}, which is not a column of the list, so that the text is empty unless it has a default; columns: ${columns.join(', ')}`;
}

function namelessText(lines: readonly number[]): string {
  const named = lines.slice(0, NAMED).join(', ');
  const rest = lines.length > NAMED ? ` and ${lines.length - NAMED} more` : '';
  const rows = lines.length === 1 ? '1 row has' : `${lines.length} rows have`;
  return `${rows} no hostname and no name, and so no effect: ${lines.length === 1 ? 'line' : 'lines'} ${named}${rest}`;
}

/** The variables of all templates that the type finds in the document when it checks it. */
function namesRead(document: RuleDocument, type: RuleType, language: RuleLanguage): readonly string[] {
  const names = new Set<string>();
  const compiler = new TextCompiler(checkingWith(language));
  const noting: RuleCompiler = {
    template(text) {
      const template = compiler.template(text);
      for (const name of templateNames(text, language)) names.add(name);
      return template;
    },
    pattern: (text) => compiler.pattern(text),
    list: (text) => compiler.list(text),
  };
  type.check(document, noting);
  return [...names];
}

function templateNames(text: string, language: RuleLanguage): Iterable<string> {
  try {
    return compileTemplate(text, { filters: filtersOf(language) }).names;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [];
    throw error;
  }
}
