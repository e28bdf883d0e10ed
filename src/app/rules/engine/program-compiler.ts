import { Fault } from '../../../jinja/fault.ts';
import { MASK } from '../../../kit/masking/secret-mask.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { LabelCompiler } from './cmdb-templates.ts';
import { type BrokenRule, type CompiledRule, compileRule } from './compiled-rule.ts';
import { type CompilerDeps, TextCompiler } from './compiler.ts';
import { RULE_WAITS } from './host-state.ts';
import { shownOf, unconfirmedAccounts } from './pending-rules.ts';
import type { ProgramAccount, ProgramInput } from './program-input.ts';
import { type SelectedRules, selectRules } from './selected-rules.ts';

const NONE: ReadonlySet<JsonObject> = new Set();

/** Holds what all rules of one program are compiled with. */
export class ProgramCompiler {
  readonly selected: readonly SelectedRules[];
  readonly secrets = new Set<string>();
  /** For confirmed rules. */
  readonly #confirmed: CompilerDeps;
  /** For pending rules: they see no secret of an account. */
  readonly #pending: CompilerDeps;
  readonly #unconfirmed: ReadonlySet<JsonObject>;
  readonly #unconfirmedAccounts: ReadonlySet<string>;

  constructor(input: ProgramInput) {
    this.selected = selectRules(input);
    this.#unconfirmedAccounts = unconfirmedAccounts(input);
    const macros = accountMacros(input.accounts, this.secrets);
    const { now, passwordIds = new Map<string, string>() } = input;
    const language = input.language === undefined ? {} : { language: input.language };
    this.#confirmed = { macro: macros.all, now, passwordIds, ...language };
    this.#pending = { macro: macros.open, now, passwordIds, ...language };
    this.#unconfirmed = input.unconfirmed ?? NONE;
  }

  /** Returns the compiler for the labels of a host template. */
  readonly labels = (document: RuleDocument): LabelCompiler => ({
    texts: new TextCompiler(this.#unconfirmed.has(document) ? this.#pending : this.#confirmed),
    vouches: shownOf(document, this.#unconfirmedAccounts).length === 0,
  });

  rule({ type }: SelectedRules, document: RuleDocument): CompiledRule | BrokenRule {
    return this.#unconfirmed.has(document)
      ? compileRule(document, type, this.#pending, false)
      : compileRule(document, type, this.#confirmed, shownOf(document, this.#unconfirmedAccounts).length === 0);
  }
}

interface AccountMacros {
  /** For confirmed rules. */
  readonly all: CompilerDeps['macro'];
  /** For pending rules: only fields that are not secret. */
  readonly open: CompilerDeps['macro'];
}

function accountMacros(accounts: readonly ProgramAccount[], secrets: Set<string>): AccountMacros {
  const byName = new Map(accounts.map((account) => [account.name, account]));
  return {
    all(account, field) {
      const value = byName.get(account)?.field(field);
      if (value?.isSecret && value.text !== '' && value.text !== MASK) secrets.add(value.text);
      return value?.text;
    },
    open(account, field) {
      const value = byName.get(account)?.field(field);
      if (value?.isSecret)
        throw new Fault('undefined', `the ${field} of account ${account} is not shown: ${RULE_WAITS}`);
      return value?.text;
    },
  };
}
