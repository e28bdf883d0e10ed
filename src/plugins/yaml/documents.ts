import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseAllDocuments,
  type Scalar,
  type ScalarTag,
  type Tags,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { setOwn } from '../../kit/file-source/own-property.ts';
import { VAULT_MARK } from '../../kit/records/vaulted.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonValue, Wording } from '../../ports/index.ts';
import { keepWritten } from './written.ts';
import { YamlFault } from './yaml-fault.ts';

/**
 * Limit on the number of nodes that all aliases together expand to: otherwise, a file of a few lines could be a document of any
 * size.
 */
const MAX_NODES = 5_000_000;
const MAX_DEPTH = 100;
/** An ordered map compares each of its keys with all before it. */
const MAX_OMAP_CHARACTERS = 256 * 1024;

/**
 * The documents of a YAML 1.1 file, as PyYAML and Ansible read it: `yes` is true and `<<` merges; but texts stay as they are written
 * where that would lose signs (`1.10`, `0777`, `NO`), in keys, and in the members that name records. Throws `YamlFault` for
 * what is not valid, and for what grows beyond bounds by aliases.
 */
export function documentsOf(text: string, naming: ReadonlySet<string> = NO_NAMES): readonly JsonValue[] {
  if (text.length > MAX_OMAP_CHARACTERS && /!!omap|tag:yaml\.org,2002:omap/.test(text)) {
    throw new YamlFault(
      worded`has ordered maps (!!omap) and more than ${{ kib: MAX_OMAP_CHARACTERS / 1024 }} KiB; write plain objects instead`,
    );
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    intAsBigInt: true,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'silent',
    // Keys count as they are written, so two of one value may be different ones. And the parser would compare each key with all others.
    uniqueKeys: false,
    customTags: pythonTags,
  });
  return [...documents].flatMap((document): JsonValue[] => {
    const [error] = document.errors;
    if (error !== undefined) throw new YamlFault(faultOf(error, lines));
    if (document.contents === null) return [];
    new Scale(lines).weigh(document.contents, 0);
    const twice = keepWritten(document, naming);
    if (twice !== undefined) throw new YamlFault(invalidIn(lines, twice, FAULTS.DUPLICATE_KEY));
    const value = plainValue(membersOf(document));
    // `---` at the end begins a document that holds nothing.
    return value === null ? [] : [value];
  });
}

const NO_NAMES: ReadonlySet<string> = new Set();

function membersOf(document: Document.Parsed): unknown {
  try {
    // How much aliases stand for was weighed before.
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    throw new YamlFault(worded`merges something that is not an object with "<<"`, { cause: error });
  }
}

const NO_ANCHOR = worded`an alias without its anchor`;
const FAULTS: Readonly<Partial<Record<YAMLError['code'], Wording>>> = {
  DUPLICATE_KEY: worded`a key occurs twice in one object`,
  TAB_AS_INDENT: worded`a tab in the indentation`,
  BAD_INDENT: worded`the indentation does not fit`,
  MISSING_CHAR: worded`a quote or bracket is not closed`,
  BLOCK_AS_IMPLICIT_KEY: worded`a colon inside a value, which needs quotes`,
  MULTILINE_IMPLICIT_KEY: worded`a line without a colon among members`,
  BAD_ALIAS: NO_ANCHOR,
};

function faultOf({ code, pos }: YAMLError, lines: LineCounter): Wording {
  return invalidIn(lines, pos[0], FAULTS[code]);
}

function invalidIn(lines: LineCounter, offset: number, why: Wording | undefined): Wording {
  const line = String(lines.linePos(offset).line);
  return why === undefined
    ? worded`is not valid YAML in line ${{ line }}`
    : worded`is not valid YAML in line ${{ line }}: ${{ why }}`;
}

type Anchored = Scalar | YAMLMap | YAMLSeq;

/** Tells how many nodes a document is with what its aliases stand for. Each is weighed once, so it takes no longer than parsing. */
class Scale {
  readonly #weights = new Map<unknown, number>();
  /** By name the newest so far, which is what an alias means. */
  readonly #anchors = new Map<string, Anchored>();
  readonly #lines: LineCounter;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  weigh(node: unknown, depth: number): number {
    if (depth > MAX_DEPTH) throw new YamlFault(worded`is nested more than ${{ count: MAX_DEPTH }} levels deep`);
    const known = this.#weights.get(node);
    if (known !== undefined) return known;
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    const weight = this.#sum(node, depth + 1);
    if (weight > MAX_NODES)
      throw new YamlFault(worded`stands for more than ${{ millions: MAX_NODES / 1e6 }} million values by its aliases`);
    if (isNode(node)) this.#weights.set(node, weight);
    return weight;
  }

  #sum(node: unknown, depth: number): number {
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined) throw new YamlFault(invalidIn(this.#lines, node.range?.[0] ?? 0, NO_ANCHOR));
      // By itself an alias looks for its anchor through all of the document.
      node.resolve = () => target;
      return this.weigh(target, depth);
    }
    if (isPair(node)) return this.weigh(node.key, depth) + this.weigh(node.value, depth);
    if (!isCollection(node)) return 1;
    let sum = 1;
    for (const item of node.items) sum += this.weigh(item, depth);
    return sum;
  }
}

/**
 * Converts values that YAML has and JSON does not: whole numbers beyond the exact range become texts of the same digits, NaN and
 * infinities their words, bytes Base64, and sets and ordered maps become lists and objects.
 */
function plainValue(value: unknown): JsonValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Set || Array.isArray(value)) return Array.from(value, plainValue);
  const members: Record<string, JsonValue> = {};
  const entries = value instanceof Map ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) setOwn(members, String(key), plainValue(member));
  return members;
}

/** The forms that PyYAML reads as numbers or truth values, in cases where YAML 1.1 accepts more. */
const NARROWER: Readonly<Record<string, RegExp>> = {
  'int ': /^[-+]?(?:0|[1-9][0-9_]*)$/,
  'float EXP': /^[-+]?[0-9_]*\.[0-9_]*[eE][-+][0-9]+$/,
  'bool true': /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
  'bool false': /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
};

/**
 * Plain words mean what they mean to PyYAML and Ansible: `y` and `1e3` are texts. Times and numbers of base sixty are texts too:
 * `2024-01-31` and `12:30` are so for everybody who writes them.
 */
function pythonTags(tags: Tags): Tags {
  return [...VAULTED, ...tags].flatMap((tag) => {
    if (typeof tag === 'string') return tag;
    const name = tag.tag.replace('tag:yaml.org,2002:', '');
    if (name === 'timestamp' || ('format' in tag && tag.format === 'TIME')) return [];
    return isPlainWord(tag) ? narrowed(tag, name) : tag;
  });
}

/** Vault-encrypted values become the JSON form that Ansible writes for them, which is recognised there. */
const VAULTED: readonly ScalarTag[] = ['!vault', '!vault-encrypted'].map((tag) => ({
  tag,
  resolve: (text) => ({ [VAULT_MARK]: text }),
}));

function isPlainWord(tag: Exclude<Tags[number], string>): tag is ScalarTag {
  return 'test' in tag && tag.test instanceof RegExp;
}

function narrowed(tag: ScalarTag, name: string): ScalarTag {
  const kind = name === 'bool' ? String(tag.test?.test('true')) : (tag.format ?? '');
  const test = NARROWER[`${name} ${kind}`];
  return test === undefined ? tag : { ...tag, test };
}
