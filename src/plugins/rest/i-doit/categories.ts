import { setOwn } from '../../../kit/file-source/own-property.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleCompiler, RuleHost } from '../../../ports/rule-type.ts';

/** Returns the categories of a host; `undefined` if a template in them failed, which is counted on the rule. */
type CategoriesOf = (host: RuleHost) => JsonObject | undefined;

type Render = (host: RuleHost) => JsonValue | undefined;

/**
 * Entries by the constants of their categories, written as a Python dictionary or as JSON. Where the text is one before its templates
 * are filled in, each of its texts is a template by itself, so that no value can break out of it.
 */
export function compileCategories(text: string, compiler: RuleCompiler): CategoriesOf {
  const written = dictionary(text, compiler);
  if (written !== undefined) {
    const render = compileTexts(written, compiler);
    return (host) => render(host) as JsonObject | undefined;
  }
  const template = compiler.template(text);
  return (host) => {
    const rendered = template.render(host);
    if (rendered === undefined) return undefined;
    const found = dictionary(rendered, compiler);
    // The target state of the object is then unknown: it stays unchanged, and the run names the host.
    if (found === undefined) throw new Error('id_category is not a dictionary of categories');
    return found;
  };
}

function dictionary(text: string, compiler: RuleCompiler): JsonObject | undefined {
  const [value] = compiler.list(`[${text.trim().replaceAll(/\r?\n/g, ' ')}]`) ?? [];
  return isJsonObject(value) ? value : undefined;
}

function compileTexts(value: JsonValue, compiler: RuleCompiler): Render {
  if (typeof value === 'string') {
    const template = compiler.template(value);
    return (host) => template.render(host);
  }
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => compileTexts(item, compiler));
    return (host) => whole(items.map((render) => render(host)));
  }
  if (!isJsonObject(value)) return () => value;
  const entries = Object.entries(value).map(
    ([name, member]) => [name, compileTexts(member ?? null, compiler)] as const,
  );
  return (host) => {
    const made: Record<string, JsonValue> = {};
    for (const [name, render] of entries) {
      const rendered = render(host);
      if (rendered === undefined) return undefined;
      setOwn(made, name, rendered);
    }
    return made;
  };
}

function whole(items: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  const found = items.filter((item) => item !== undefined);
  return found.length === items.length ? found : undefined;
}
