import { mappingEntries } from '../../../jinja/compare.ts';
import { parsePythonLiteral } from '../../../jinja/python-literal.ts';
import {
  compileTemplate,
  type Template,
  type TemplateOptions,
  TemplateSyntaxError,
  type TemplateValue,
} from '../../../jinja/template.ts';
import { isMapping, PyFloat, PySequence } from '../../../jinja/value.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { RuleLanguage } from '../../../ports/rule-language.ts';
import { RuleCompileError, type RuleCompiler, type RuleHost, type RuleTemplate } from '../../../ports/rule-type.ts';
import type { TextTest } from './case-fold.ts';
import type { CheckBudget } from './check-budget.ts';
import { HostState } from './host-state.ts';
import { compilePattern } from './pattern.ts';

/** A field of an account, decrypted; `undefined` when there is no such account or field. */
type AccountMacro = (account: string, field: string) => string | undefined;

export interface CompilerDeps {
  readonly macro: AccountMacro;
  readonly now: () => Date;
  /** Ids of monitoring passwords by name; never the passwords. */
  readonly passwordIds?: ReadonlyMap<string, string>;
  /** Filters and operators that plugins add to the language. */
  readonly language?: RuleLanguage;
  /** The cost limit for compiling, if a document is checked before it is stored. */
  readonly budget?: CheckBudget;
}

/** Compiles the texts of one rule and remembers what they depend on. */
export class TextCompiler implements RuleCompiler {
  readonly #deps: CompilerDeps;
  /** True when a template prints, or a condition compares with, more than the host has: the time. */
  volatile = false;
  /** True when a template shows an account's field. */
  usesAccounts = false;

  constructor(deps: CompilerDeps) {
    this.#deps = deps;
  }

  get language(): RuleLanguage | undefined {
    return this.#deps.language;
  }

  template(text: string): RuleTemplate {
    return this.#strict(text, this.#compile(text));
  }

  /** As `template`, for a text that goes as far as it can: a name that is not defined is reported, and empty. */
  lenient(text: string): RuleTemplate {
    const template = this.#compile(text);
    const strict = this.#strict(text, template);
    if (strict.constant !== undefined) return strict;
    return {
      ...strict,
      render(host) {
        const rendered = strict.render(host);
        if (rendered !== undefined) return rendered;
        const result = template.render(stateOf(host).lenientScope);
        return result.ok ? result.text : undefined;
      },
    };
  }

  #strict(text: string, template: Template): RuleTemplate {
    this.volatile ||= template.volatile;
    this.usesAccounts ||= text.includes('ACCOUNT:');
    const { constant } = template;
    if (constant !== undefined) return { constant, volatile: false, render: () => constant };
    return {
      constant: undefined,
      volatile: template.volatile,
      render: (host, locals) => {
        const state = stateOf(host);
        state.locals = locals;
        const result = template.render(state.scope);
        state.locals = undefined;
        if (result.ok) return result.text;
        host.report(result.error.message);
        return undefined;
      },
    };
  }

  clock(): () => Date {
    this.volatile = true;
    return this.#deps.now;
  }

  pattern(text: string): TextTest {
    this.#deps.budget?.pattern(text);
    return compilePattern(text);
  }

  list(text: string): readonly JsonValue[] | undefined {
    return readList(text);
  }

  #compile(text: string): Template {
    try {
      return compileTemplate(text, {
        macros: this.#deps.macro,
        now: this.#deps.now,
        functions: new Map([['cmk_password', (name) => passwordIdent(name, this.#deps.passwordIds)]]),
        filters: filtersOf(this.#deps.language),
        tokens: (count) => this.#deps.budget?.template(count),
      });
    } catch (error) {
      if (error instanceof TemplateSyntaxError)
        throw new RuleCompileError(`the template does not compile: ${error.message}`);
      throw error;
    }
  }
}

/**
 * Returns the ident under which a monitoring system keeps one of our passwords: rules refer to it and hold no secret. A missing
 * password gets an ident that does not exist, so that the monitoring system refuses it.
 */
function passwordIdent(name: TemplateValue | undefined, ids: ReadonlyMap<string, string> | undefined): string {
  const text = typeof name === 'string' ? name : '';
  return `cmdbsyncer_${ids?.get(text) ?? `missing_${text}`}`;
}

/** Filters of plugins, by name, as templates call them. */
export function filtersOf(language: RuleLanguage | undefined): NonNullable<TemplateOptions['filters']> {
  return (name) => {
    const filter = language?.templateFilter(name);
    if (filter === undefined) return undefined;
    return (value, ...args) => filter.apply(toJson(value), ...args.map(toJson));
  };
}

function stateOf(host: RuleHost): HostState {
  if (host instanceof HostState) return host;
  throw new TypeError('a template renders only the host that its rule was called with');
}

/** A list as JSON or as a Python literal; `undefined` when the text is neither. */
export function readList(text: string): readonly JsonValue[] | undefined {
  const json = parseJson(text);
  if (json !== undefined) return Array.isArray(json) ? json : undefined;
  const literal = parsePythonLiteral(text);
  return Array.isArray(literal) ? literal.map(toJson) : undefined;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Elements of literals, dictionaries among them as objects; what JSON has no word for is `null`. */
function toJson(value: TemplateValue): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof PyFloat) return value.value;
  if (value instanceof PySequence) return value.items.map(toJson);
  if (isMapping(value)) {
    return Object.fromEntries(mappingEntries(value).map(([key, item]) => [String(toJson(key)), toJson(item)]));
  }
  return Array.isArray(value) ? value.map(toJson) : null;
}
