import type { ErrorDetail } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { RuleDocument } from './rule.ts';

/** What templates and rules read attributes from. `undefined` means that there is no such attribute. */
export interface AttributeReader {
  get(name: string): JsonValue | undefined;
}

/** A compiled template. Rendering never throws. */
export interface RuleTemplate {
  /** The text when it does not depend on the host. */
  readonly constant: string | undefined;
  readonly volatile: boolean;
  /** The trimmed text, or `undefined` when the template failed; the failure is reported on the rule that owns it. */
  render(host: RuleHost): string | undefined;
}

/** Makes a rule's texts executable; each throws `RuleCompileError` for a text that cannot work. */
export interface RuleCompiler {
  template(text: string): RuleTemplate;
  /** RE2 syntax, linear time; matches from the start of the value. */
  pattern(text: string): (value: string) => boolean;
}

/** A text of a rule that cannot work. */
export class RuleCompileError extends Error {
  override readonly name = 'RuleCompileError';
}

/** A host on its way through the rules of one consumer. */
export interface RuleHost {
  readonly hostname: string;
  /** The attributes so far. Stages `attributes` and `rewrite` change this map, the later ones only read it. */
  readonly attributes: Map<string, JsonValue>;
  /** Custom variables so far; stage `variables` fills it. */
  readonly variables: Map<string, RuleVariable>;
  /** What the filter lets through; `undefined` while no filter rule exists, so that everything passes. */
  readonly filter: HostFilterState;
  /** After a hit by an attribute condition: the attribute that satisfied it. */
  matchingTag: string | undefined;
  matchingValue: JsonValue | undefined;
  /** Counts a failure on the rule that is running. */
  report(message: string): void;
}

export interface RuleVariable {
  readonly value: JsonValue;
  /** True when the author wants the inventory's consumer to evaluate the text. */
  readonly expression: boolean;
}

/** Names and prefixes that filter rules of a project let through, for one host. */
export interface HostFilterState {
  allowAttribute(nameOrPrefix: string): void;
  allowValue(valueOrPrefix: string): void;
  ignoreHost(): void;
}

/** What a rule does to a host that it hits. */
export type RuleAction = (host: RuleHost) => void;

/** In this order a host passes them; `attributes` is for every consumer, the others belong to a project. */
export type RuleStage = 'attributes' | 'rewrite' | 'filter' | 'variables';

/** Which export flag a type needs: `rules` is always exported. */
export type ExportGroup = 'rules' | 'hosts' | 'accounts' | 'users' | 'passwords';

/** What a caller holds, for types that must not be used to gain more (accounts, users). */
export interface RuleWriter {
  readonly name: string;
  readonly roles: readonly string[];
  readonly globalAdmin: boolean;
  /** Names of accounts, or `null` when not restricted. */
  readonly accounts: readonly string[] | null;
}

export interface RulePreparation {
  readonly existing: RuleDocument | undefined;
  /** Encrypts under the instance key. */
  seal(plain: string): Promise<string>;
  hashPassword(password: string): Promise<string>;
}

/** A reference from one document to another, by name or id. */
export interface RuleReference {
  readonly path: string;
  readonly type: string;
  /** The name, or the 24 hex digits of an `$oid`. */
  readonly target: string;
}

/**
 * A kind of rule document. The core owns the envelope (`_id`, `name`, `enabled`, `sort_field`, `last_match`,
 * `condition_typ`, `conditions`); a type owns its outcomes and further members.
 */
export interface RuleType {
  readonly id: string;
  /** Idents of older installations that mean this type. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly keyedBy: 'name' | 'hostname';
  readonly uniqueNames: boolean;
  /** True when documents have conditions and outcomes. */
  readonly conditional: boolean;
  readonly exportGroup: ExportGroup;
  /** Members whose values are secret (sealed or hashed); masked wherever a document is shown or compared. */
  readonly secretMembers: readonly string[];
  /** JSON Schema of the members beyond the envelope, for documentation and forms. */
  readonly schema: JsonObject;

  /** What makes the document unable to work, with paths; empty when it is fine. Unknown members are fine. */
  check(document: RuleDocument, compiler: RuleCompiler): readonly ErrorDetail[];
  /** A further value that must be unique within the type. */
  uniqueValue?(document: RuleDocument): string | undefined;
  /** Documents it refers to; missing ones are warnings. */
  references?(document: RuleDocument): readonly RuleReference[];
  /** Brings a document into the form that is stored: clear secrets sealed, older spellings made current. */
  prepare?(document: RuleDocument, context: RulePreparation): Promise<RuleDocument>;
  /** What the writer may not do with this document; empty when all is allowed. */
  refusals?(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): readonly ErrorDetail[];

  readonly evaluation?: {
    readonly stage: RuleStage;
    /** Compiled once a revision. Throws `RuleCompileError` for a document that cannot work. */
    compile(document: RuleDocument, compiler: RuleCompiler): RuleAction;
  };
}
