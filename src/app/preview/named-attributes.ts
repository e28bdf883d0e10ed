import type { RuleDocument } from '../../ports/index.ts';
import { readConditions } from '../rules/engine/condition-document.ts';
import type { HostExplanation } from '../rules/engine/explanation.ts';

/** Attributes that conditions ask for by their full name, until a host turns up that has them. */
export class NamedAttributes {
  readonly #missing: Set<string>;

  constructor(document: RuleDocument) {
    const names = readConditions(document).conditions.flatMap(({ condition }) => {
      if (condition.kind !== 'attribute') return [];
      const { operator, negate, needle } = condition.name;
      return operator === 'equal' && !negate ? [needle] : [];
    });
    this.#missing = new Set(names);
  }

  /** Notes the attributes of a host. One that a rule removes existed before: the conditions of an earlier rule see it. */
  saw({ attributes, rules }: Pick<HostExplanation, 'attributes' | 'rules'>): void {
    if (this.#missing.size === 0) return;
    for (const { name } of attributes) this.#missing.delete(name);
    for (const { changes } of rules) {
      for (const { what, name } of changes) if (what === 'attribute') this.#missing.delete(name);
    }
  }

  /** Those that no host had. */
  get missing(): string[] {
    return [...this.#missing];
  }
}
