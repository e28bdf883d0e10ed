import type { JsonValue, SourceGap } from '../../ports/index.ts';
import type { DocumentPath } from '../json/document-scanner.ts';
import { isJsonObject } from '../json/json-object.ts';
import { memberPath } from '../json/member-path.ts';
import { madeOnce } from '../options/made-once.ts';
import { textList } from '../options/values.ts';
import { phrase, type Said, worded } from '../worded.ts';

/**
 * Recognises how systems report that a list continues, failed or is partial, and how many records there are in all: in members
 * next to the list, in headers and in the status. Every source uses it, for files and for responses, since a part that is
 * mistaken for the whole archives the rest. Names are compared in lower case and without punctuation: `@odata.nextLink` is
 * `odatanextlink`.
 */

type Sense =
  /** Leads to the next part, if it has a value. */
  | 'next'
  /** True: there is more. `last`: false says so. */
  | 'more'
  | 'last'
  /** The position of the reader: many systems include it on the last page too. */
  | 'cursor'
  | 'remaining'
  /** Numbers of records: of what was searched, of all, and some that may be either. */
  | 'filtered'
  | 'total'
  | 'count'
  /** Number of all records, if the value is a number. */
  | 'amount'
  | 'pages'
  /** How many records one part may have. */
  | 'limit'
  /** Something went wrong if it has a value; `alarm` if it is true; `succeeded` if it is false. */
  | 'failed'
  | 'alarm'
  | 'succeeded'
  | 'state'
  /** Text, which may speak of a part. */
  | 'words'
  /** A list of links, each with its relation. */
  | 'links'
  /** Which part this is: a number, `1 of 5`, or `1-20 of 100`. */
  | 'place'
  /** The object that the list is in is a thing with a name, whose state may be its own. */
  | 'name'
  | 'nothing';

const THING =
  '(?:records?|results?|items?|elements?|entries|entry|hits?|match(?:es)?|rows?|objects?|hosts?|devices?|nodes?|servers?|machines?|assets?|documents?|docs|resources?|members?|size|counts?|number|length|found|available|all)';
const STEP =
  '(?:page|links?|url|uri|href|token|cursor|marker|key|offset|start|index|batch|records?|results?|items?|set|skip|position|path|address|query|continuation|request|chunk|window|from|after|name|range|id)';
const WRONG = '(?:errors?|failures?|faults?|exceptions?)';

/** The first match counts. A dot separates a member from its parent. */
const SENSES: readonly (readonly [Sense, RegExp])[] = [
  ['nothing', /ratelimit|quota|credit|apicall|^(?:shards|clusters|nodes)\.(?:total|successful|skipped|running)$/],
  ['failed', /^(?:clusters|nodes)\.(?:partial|failed)$/],
  // Counts of findings about the hosts, not about the list
  ['nothing', /^summary\.(?!.*(?:total|rows|records|results|pages|next|more|truncated|partial))/],
  ['limit', /^(?:page|pageable|paging|pagination|pager|pageinfo)\.size$/],
  ['pages', /^(?:page|paging|pagination|pageinfo)\.of$/],
  ['next', new RegExp(`^(?:odata)?next${STEP}*$`)],
  [
    'next',
    /^(?:(?:pagination|continuation|resumption|resume|skip)token|continu(?:e|ation)(?:token|url|uri|link|from)?)$/,
  ],
  ['next', /^(?:lastevaluatedkey|unprocessed(?:keys|items)|more(?:url|link|uri)|odataskiptoken)$/],
  ['links', /^[a-z]*links?$/],
  // `X-Records` of PuppetDB, `X-Page-Total` of Mist, `results` of Linode
  ['total', /^head\.(?:pagetotal|records|items|results)$/],
  ['amount', /^(?:records|items|results|rows|entries|elements|matches|all|of)$/],
  [
    'more',
    /^(?:is|was|has|are|there(?:is|are))?(?:results?|list|response|output|data|any)?(?:truncated|incomplete(?:results?)?|partial(?:results?|response|data|content)?|more(?:results?|items?|records?|data|pages?|rows|available|entries|hits|exists?|itemsincollection)?|next(?:page|link)exists?|exceededtransferlimit|(?:size|row|results?|time)?limit(?:reached|exceeded|hit)|hit[a-z]*limit|overflow(?:ed)?|capped|cutoff|limited|max[a-z]*(?:reached|exceeded)|toomany[a-z]*|ismin)$/,
  ],
  // Hosts that an aggregation of Elasticsearch left out
  ['more', /^sumotherdoccount$/],
  [
    'more',
    /^(?:has(?:more|next)(?:[a-z]*(?:page|result|item|record|row|data)s?|link)?|more(?!info|detail|help|doc)[a-z]*)$/,
  ],
  [
    'last',
    /^(?:is|job|query|search|result)?(?:last(?:page|batch|chunk)?|final(?:page)?|completed?|done|finished|end|eof|endof[a-z]+|whole|exhausted)$/,
  ],
  [
    'pages',
    /^(?:(?:total|num|number|no|nr|count|nb|last|max)+(?:of)?pages?(?:count|number|total)?|pages?(?:count|total)|pages)$/,
  ],
  [
    'filtered',
    new RegExp(`^(?:subtotal|(?:total|num|number|of)*${THING}*(?:filtered|matching|matched)(?:total)?${THING}*)$`),
  ],
  [
    'total',
    new RegExp(`^(?:odata|grand|overall|num|number|no|nr|count|of)*total(?:s|num|no|of)?${THING}*(?:num|no)?$`),
  ],
  [
    'total',
    new RegExp(`^(?:odatacount|${THING}+(?:total|available)|num(?:ber)?(?:of)?(?:found|hits|matches)|nb?hits|found)$`),
  ],
  [
    'total',
    /^(?:treesize|inlinecount|(?:content)?range|(?:full|all|overall)(?:result|record|item)?s?count|countall|(?:collection|resultset)size)$/,
  ],
  ['remaining', new RegExp(`^(?:${THING}*remaining${THING}*|${THING}+left)$`)],
  [
    'limit',
    /^(?:(?:page|sysparm|result|max|record|query)?limit|pagesize|[a-z]*perpage|max(?:results|items|records|rows)|pagelength|top)$/,
  ],
  [
    'count',
    new RegExp(
      `^(?:(?:num|number|no|nr|of)*${THING}*counts?|count(?:of)?${THING}|hits|(?:num|number|nr)(?:of)?${THING}|returned${THING}*)$`,
    ),
  ],
  [
    'alarm',
    /^(?:has|is|was|query|search|request)?(?:timedout|timeout(?:reached|occurred|exceeded)?|terminatedearly|abort(?:ed)?|cancell?ed|interrupted|degraded|preview)$|filteredbyacls?$/,
  ],
  [
    'failed',
    new RegExp(
      `^(?:has|is|with|partial|shard|query|search|execution|server|graphql|some)?${WRONG}(?:list|details?|messages?|msg|text|string|code|types?|descriptions?|info|count|occurred|reason|summary)?$`,
    ),
  ],
  [
    'failed',
    new RegExp(`^(?:is|has|query|search|request)?failed(?:shards?|regions?|zones?|locations?|requests?|${THING})*$`),
  ],
  [
    'failed',
    /^(?:errmsg|errno|errcode|err|timeouts|(?:omitted|withheld|not(?:shown|returned))[a-z]*|(?:not|un)reachable[a-z]*|unavailable(?:shards?|nodes?|sites?|sources?|backends?|regions?|zones?|locations?)?|notresponding[a-z]*|exc|traceback|missing(?:shards?|regions?|zones?|locations?|pages?))$/,
  ],
  ['succeeded', /^(?:is|was)?(?:success(?:ful)?|succeeded|ok)(?:status(?:code)?)?$/],
  [
    'state',
    /^(?:response|result|query|search|request|http|api|overall)?(?:status|state)(?:code|text)?$|^(?:(?:response|api|result|return|ret)?code|result|stat|rc|completeness)$/,
  ],
  [
    'words',
    /^(?:odata)?(?:partial)?(?:warnings?|notices?|messages?|msg|notes?|details?|comments?|info|messageextendedinfo)$/,
  ],
  [
    'cursor',
    /^(?:(?:end|page|scroll|search|current)?cursors?|(?:last|end)?marker|bookmark|(?:page|scroll|paging|list|end)token|scrollid|searchafter|after|(?:start|end|last|after)key|lastid)$/,
  ],
  ['name', /^name$/],
  [
    'place',
    /^(?:page(?:number|no)?|currentpage|offset|skip|start(?:at|index|ing)?|(?:showing|displaying|position|window)[a-z]*)$/,
  ],
];

/** Headers that may say something, and the name of what they say. */
const HEADER =
  /^(?=x-|opc-|total-|next-|pagination|continuation-|(?:result|record|item)s?-|warning$|[a-z]+-continue$)(?:x-(?:ms-|wp-|opc-|pagination-)?|opc-|pagination-)?(.+)$/;
const IN_HEAD = 'head';

/** Members that hold such members. */
const HOLDER =
  /(?:page|(?:page|paging|list|result|query)details|(?:page|paging|list|search)context|additionaldata|truncation|coverage|extensions|counts|summary|view|pages|paging|pagination|pager|pageable|cursors?|meta|metadata|links?|pageinfo|resultinfo|responseinfo|shards|clusters|resultset|responseheader|info|header|status|response)$/;
const MOST_DEPTH = 3;

/** Words of names that are not known and look like a cursor, a total or an error; and those that make them something else. */
const LOOKS_WRONG = new Set(
  'error errors failed failure failures exception exceptions incomplete truncated partial unreachable'.split(' '),
);
const LOOKS_LIKE_CURSOR = new Set('cursor continuation marker cookie'.split(' '));
const OTHER_THINGS = new Set(
  'time times timestamp at date day days hour hours ms millis milliseconds minutes sec secs seconds duration ttl age uptime bytes kb mb gb tb size memory mem ram cpu cpus cores threads disk storage cost price score ratio percent rate quota credits usage used free capacity power energy weight bandwidth boot reboot run update refresh scan sync check poll maintenance expiry renewal schedule release version build log logs page handler budget policy session vcpu vcpus sockets executors slots ports licenses licences seats alerts alarms logins attempts'.split(
    ' ',
  ),
);

/** `ignored_members`, for every source. */
export const ignoredMembersOption = madeOnce(() =>
  textList()
    .transform((names) => names.flatMap((name) => (name === 'ignore' ? ['*'] : name === 'gap' ? [] : [name])))
    .default([])
    .describe(
      'Members next to the list, headers, or a status that do not show whether the list is complete, as messages name them, comma-separated: meta.total, X-Total; *: all of them, so that each answer counts as complete',
    )
    .meta({ rare: true, aliases: ['next_page'] }),
);

function plain(name: string): string {
  return name
    .replace(/^.*[@:$](?=.)/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^opensearch/, '');
}

const LONGEST_NAME = 200;

/** Names repeat, and the elements of a list on the way to the records have the same ones. */
const KNOWN_SENSES = new Map<string, Sense | undefined>();
const MOST_KNOWN = 2_000;

function senseOf(name: string, holder = '', list = ''): Sense | undefined {
  const key = `${name}\0${holder}\0${list}`;
  if (KNOWN_SENSES.has(key)) return KNOWN_SENSES.get(key);
  if (KNOWN_SENSES.size >= MOST_KNOWN) KNOWN_SENSES.clear();
  const sense = senseIn(name, holder, list);
  KNOWN_SENSES.set(key, sense);
  return sense;
}

function senseIn(name: string, holder: string, list: string): Sense | undefined {
  // The patterns take quadratic time on names that are made for it, and names of real members are short.
  if (name.length > LONGEST_NAME || holder.length > LONGEST_NAME) return undefined;
  const own = plain(name);
  // `servers_count` next to `servers`
  const things = plain(list);
  const called = things.length > 2 ? own.replace(new RegExp(`${things}|${things.replace(/s$/, '')}`), 'items') : own;
  if (called === '') return undefined;
  return SENSES.find(
    ([, names]) => names.test(called) || names.test(own) || names.test(`${plain(holder)}.${own}`),
  )?.[0];
}

function wordsOf(name: string): readonly string[] {
  const parted = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** Guesses the meaning of an unknown name. */
function looksLike(name: string): 'wrong' | 'total' | 'cursor' | undefined {
  const words = wordsOf(name);
  if (words.some((word) => OTHER_THINGS.has(word))) return undefined;
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (LOOKS_WRONG.has(first) || LOOKS_WRONG.has(last)) return 'wrong';
  if (first === 'total' || last === 'total' || words.includes('remaining')) return 'total';
  return first === 'next' || LOOKS_LIKE_CURSOR.has(last) || LOOKS_LIKE_CURSOR.has(first) ? 'cursor' : undefined;
}

/** `_nodes` of Elasticsearch counts the nodes that answered; `nodes` are the nodes. */
function isHolder(name: string): boolean {
  return HOLDER.test(plain(name)) || name === '_nodes';
}

/** Whether a member next to a list may describe the list; others need not be kept. */
export function maySpeak(name: string, kind: 'object' | 'list' | 'scalar', list = ''): boolean {
  const sense = senseOf(name, '', list);
  if (sense !== undefined && (kind === 'scalar' || !OF_SCALARS.has(sense))) return true;
  return (kind === 'object' && isHolder(name)) || looksLike(name) !== undefined;
}

const OF_SCALARS: ReadonlySet<Sense> = new Set(['amount', 'place', 'name', 'count', 'limit']);

/**
 * Whether an entry of records by name describes the list: hosts have members, so a value without members under such a name is not
 * a host.
 */
export function speaksOfList(name: string, value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && !isJsonObject(value) && maySpeak(name, Array.isArray(value) ? 'list' : 'scalar');
}

interface Found<T> {
  readonly member: string;
  readonly value: T;
}

/** How many records came, and how they were asked for. */
export interface ReadList {
  readonly records: number;
  /** Elements of the list, where records are in lists in them. */
  readonly elements?: number;
  /** How many one answer was asked for, and what asked it. */
  readonly asked?: Found<number> | undefined;
  /** Pages that were read by the walk of the account; absent: what came is all that was asked for. */
  readonly pages?: number;
  /** By an address or cursor of the answers themselves. */
  readonly followed?: boolean;
  /** Advice for when there is more. */
  readonly remedy: Said;
}

export const FILE_REMEDY = phrase`store all of the list in the file`;
export const ANSWER_REMEDY = phrase`set paging of the account to how the system pages`;

/** Collects what a response or a file reports about its list, and reports what is missing at the end. */
export class WholeList {
  /** The address of the next page, and the path of the member that holds it. */
  next: { readonly path: string; readonly address: string } | undefined;
  readonly #ignored: ReadonlySet<string>;
  readonly #list: string;
  readonly #wrong: Found<string>[] = [];
  readonly #more: string[] = [];
  readonly #tokens: string[] = [];
  readonly #cursors: string[] = [];
  readonly #totals: Found<number>[] = [];
  readonly #filtered: Found<number>[] = [];
  readonly #counts: Found<number>[] = [];
  readonly #amounts: Found<number>[] = [];
  readonly #likeTotals: Found<number>[] = [];
  readonly #doubtful: string[] = [];
  #pages: Found<number> | undefined;
  #limit: Found<number> | undefined;
  #partial: string | undefined;
  /** Which part it is, and `of: 5`, which counts parts then. */
  #place: Found<number> | undefined;
  #of: Found<number> | undefined;
  #isAtLeast = false;
  #isEnd = false;
  /** Objects with names, by their paths, and what says that something is under way: of them, or of the list. */
  readonly #named = new Set<string>();
  readonly #underWay: Found<string>[] = [];
  /** Signs found in the current element, and sums of the counts in all elements, for lists on the way to the records. */
  #element: { readonly place: string; readonly list: WholeList } | undefined;
  readonly #sums = new Map<string, number>();

  /** `list`: the path of the list. */
  constructor(ignored: readonly string[], list = '') {
    this.#ignored = new Set(ignored.map((name) => name.toLowerCase()));
    this.#list = list.replace(/(?:\[\])+$/, '').replace(/^.*\./, '');
  }

  /** Adds all members next to the list and next to the objects that contain it, including elements of lists on the way. */
  document(document: JsonValue, path: readonly string[], place: DocumentPath = []): this {
    const [name] = path;
    if (isJsonObject(document)) {
      for (const [member, value] of Object.entries(document)) {
        if (value === undefined) continue;
        if (member !== name) this.member([...place, member], value);
        else this.document(value, path.slice(1), [...place, member]);
      }
    } else if (Array.isArray(document) && name !== undefined) {
      for (const [index, element] of document.entries()) this.document(element, path, [...place, index]);
    }
    return this;
  }

  /** Adds one member next to the list, or next to a list on the way to the records. */
  member(path: DocumentPath, value: JsonValue): void {
    const names = path.filter((step) => typeof step === 'string');
    const last = path.findLastIndex((step) => typeof step === 'number');
    if (last === -1) {
      this.#member(names, value, names.at(-2) ?? '', 0);
      return;
    }
    const place = path.slice(0, last + 1).join('.');
    if (this.#element?.place !== place) this.#endElement();
    this.#element ??= { place, list: new WholeList([...this.#ignored], this.#list) };
    this.#element.list.#member(names, value, names.at(-2) ?? '', 0);
  }

  /**
   * Signs of an element about its own part apply to the whole list. Members that only resemble a sign belong to the element
   * itself.
   */
  #endElement(): void {
    const list = this.#element?.list;
    this.#element = undefined;
    if (list === undefined) return;
    const leads = [...list.#more, ...(list.#isEnd ? [] : list.#tokens)];
    for (const found of [...list.#troubles(), ...leads.map((member) => ({ member, value: '' }))]) {
      if (!this.#wrong.some(({ member }) => member === found.member)) this.#wrong.push(found);
    }
    const sum = list.#said().said;
    if (sum !== undefined) this.#sums.set(sum.member, (this.#sums.get(sum.member) ?? 0) + sum.value);
  }

  #troubles(): readonly Found<string>[] {
    const own = this.#underWay.filter(({ member }) => !this.#named.has(member.replace(/\.?[^.]*$/, '')));
    return [...this.#wrong, ...own];
  }

  /** The number of all records, and whether it is surely that: others may be of this part alone. */
  #said(): { readonly total: Found<number> | undefined; readonly said: Found<number> | undefined } {
    const total = greatest(this.#filtered) ?? greatest(this.#totals);
    const ofRecords = this.#of !== undefined && this.#place === undefined ? [this.#of] : [];
    const counted = total ?? greatest(this.#counts);
    return { total, said: greatest([...(counted === undefined ? [] : [counted]), ...this.#amounts, ...ofRecords]) };
  }

  head(status: number, headers: Readonly<Record<string, string>>): this {
    for (const [header, text] of Object.entries(headers)) {
      const shown = header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
      const [, name] = HEADER.exec(header) ?? [];
      if (header === 'content-range') this.#range(text, shown);
      else if (header === 'link' && /;\s*rel="?(?:\S+ )*next\b/i.test(text)) {
        if (!this.#isIgnored(shown)) this.#more.push(shown);
      } else if (name !== undefined) this.#member([shown], headerValue(text), IN_HEAD, MOST_DEPTH - 1, headName(name));
    }
    if (status === 207) this.#add(this.#wrong, 'status 207', 'Multi-Status');
    if (status === 206 && !this.#isIgnored('status 206')) this.#partial = 'status 206';
    return this;
  }

  /** Yields each failure as a gap of its own. */
  *failures(reported: Set<string> = new Set()): Generator<SourceGap> {
    this.#endElement();
    for (const { member, value } of this.#troubles()) {
      if (reported.has(member)) continue;
      reported.add(member);
      yield gapOf(
        phrase`what the system could not give`,
        value === ''
          ? worded`${{ member }} says that the list is not whole; run it again when the system is well, or name ${{ member }} in ignored_members`
          : worded`${{ member }} says that the list is not whole: ${{ said: value }}; run it again when the system is well, or name ${{ member }} in ignored_members`,
      );
    }
    for (const member of this.#doubtful) {
      if (reported.has(member)) continue;
      reported.add(member);
      yield gapOf(
        phrase`what the system may not have given`,
        worded`${{ member }} next to the list looks like an error and is not known; if it is not about the list, name ${{ member }} in ignored_members`,
      );
    }
  }

  /** The number of all records that it states, if that is a number to compare. */
  all(): Found<number> | undefined {
    return this.#isAtLeast ? undefined : this.#said().said;
  }

  /** Returns what is missing from the list; nothing if it is complete. */
  missing(read: ReadList): SourceGap | undefined {
    const { records, elements = records, asked = this.#limit, pages, followed = false, remedy } = read;
    const most = Math.max(records, elements);
    this.#endElement();
    const { total, said = greatest([...this.#sums].map(([member, value]) => ({ member, value }))) } = this.#said();
    if (said !== undefined && most < said.value) {
      const [all, came] = [String(said.value), String(most)];
      return gapOf(
        worded`${{ count: String(said.value - most) }} of ${{ total: all }} records`,
        worded`${{ member: said.member }} says that there are ${{ total: all }}, but ${{ count: came }} arrived: ${{ remedy }}, and check what the user may see; if that is another number, name ${{ member: said.member }} in ignored_members`,
      );
    }
    const isWalked = pages !== undefined;
    const isAll = total !== undefined && !this.#isAtLeast;
    const tokens = this.#isEnd ? [] : this.#tokens;
    const more = isWalked && !followed ? undefined : (this.#more[0] ?? tokens[0]);
    if (more !== undefined) return moreGap(more, remedy);
    if (isAll) return undefined;
    if (total !== undefined && (most === total.value || !isWalked)) return moreGap(total.member, remedy);
    if (this.#partial !== undefined && !isWalked) return moreGap(this.#partial, remedy);
    const parts = this.#pages ?? (this.#place === undefined ? undefined : this.#of);
    if (parts !== undefined && parts.value > (pages ?? 1)) return moreGap(parts.member, remedy);
    const bigger = this.#likeTotals.find(({ value }) => value > most);
    const doubtful = bigger?.member ?? (isWalked || this.#isEnd ? undefined : this.#cursors[0]);
    if (doubtful !== undefined) {
      return gapOf(
        phrase`the rest of the list, if there is one`,
        worded`${{ member: doubtful }} next to the list may mean that there is more: ${{ remedy }}; if it is not about the list, name ${{ member: doubtful }} in ignored_members`,
      );
    }
    if (asked === undefined || isWalked || this.#isEnd || elements !== asked.value) return undefined;
    if (this.#isIgnored(asked.member)) return undefined;
    const came = elements === 1 ? worded`1 record` : worded`${{ count: String(elements) }} records`;
    return gapOf(
      phrase`the rest of the list, if there is one`,
      worded`${{ records: came }} arrived, as many as ${{ member: asked.member }} asks for, and nothing shows that these are all: ${{ remedy }}, or ask for more at once; if they are all, name ${{ member: asked.member }} in ignored_members`,
    );
  }

  /** Identifies this part among other parts of a list with as many records or parts: its place, and the number of all. */
  part(): { readonly of: string; readonly place: number | undefined; readonly all: number } | undefined {
    const [{ said }, parts] = [this.#said(), this.#pages ?? this.#of];
    if (this.#isAtLeast || (said === undefined && parts === undefined)) return undefined;
    const [place, all] = [this.#place?.value, said?.value ?? parts?.value ?? 0];
    return { of: said === undefined ? `${all} parts` : `${all} records`, place, all };
  }

  /** Why it is not the whole, of systems whose answers are known: there is nothing to ignore. */
  refusal(read: ReadList | undefined): Said | undefined {
    const [wrong] = this.#troubles();
    if (wrong !== undefined)
      return worded`${{ member: wrong.member }} says that the list is not whole: ${{ said: wrong.value }}`;
    const lost = read === undefined ? undefined : this.missing(read)?.what;
    return lost === undefined ? this.#doubtful[0] : worded`${{ what: lost }} did not come`;
  }

  /** The number of all records, where the account says where it is. */
  total(member: string, value: number): void {
    this.#add(this.#filtered, member, value);
  }

  /** Numbers of records are not compared. */
  forgetTotals(): void {
    for (const list of [this.#filtered, this.#totals, this.#counts, this.#amounts, this.#likeTotals]) list.length = 0;
    this.#pages = undefined;
    this.#of = undefined;
  }

  #member(path: readonly string[], value: JsonValue, holder: string, depth: number, called = path.at(-1) ?? ''): void {
    const member = path.join('.');
    if (this.#isIgnored(member)) return;
    const sense = senseOf(called, holder, this.#list);
    if (sense === 'links') this.#links(path, Array.isArray(value) ? value : [value]);
    else if (sense === 'state' && Array.isArray(value)) for (const one of value) this.#member(path, one, holder, depth);
    else if (sense !== undefined) this.#note(sense, { member, value }, path);
    const holds = isJsonObject(value) && isHolder(called);
    if (holds && depth < MOST_DEPTH && sense !== 'failed') {
      for (const [name, inner] of Object.entries(value)) {
        if (inner !== undefined) this.#member([...path, name], inner, called, depth + 1);
      }
    }
    if (sense === undefined && !holds && holder !== IN_HEAD) this.#guess(called, member, value);
  }

  #note(sense: Sense, { member, value }: Found<JsonValue>, path: readonly string[]): void {
    const flag = flagOf(value);
    const number = countOf(value);
    switch (sense) {
      case 'next':
        this.#nextPart(path, member, value);
        break;
      case 'more':
        if (flag === false || isNothing(value)) this.#isEnd = true;
        else this.#more.push(member);
        break;
      case 'last':
        if (saysNo(value, member)) this.#more.push(member);
        else if (value === true || value === 'true') this.#isEnd = true;
        else if (number !== undefined && /page$/i.test(member)) this.#pages = { member, value: number };
        break;
      case 'cursor':
        if (leadsOn(value) && !isTime(value)) this.#cursors.push(member);
        break;
      case 'remaining':
        if (number === 0) this.#isEnd = true;
        else if (number !== undefined) this.#more.push(member);
        break;
      case 'filtered':
        this.#add(this.#filtered, member, number);
        break;
      case 'total':
        this.#total(member, value);
        break;
      case 'count':
        this.#add(this.#counts, member, number);
        break;
      case 'amount':
        if (/(?:^|\.)of$/i.test(member)) this.#of = number === undefined ? undefined : { member, value: number };
        else this.#add(this.#amounts, member, number);
        break;
      case 'pages':
        if (number !== undefined) this.#pages = { member, value: number };
        break;
      case 'place':
        this.#placed(member, value);
        break;
      case 'name':
        this.#named.add(path.slice(0, -1).join('.'));
        break;
      case 'limit':
        if (number !== undefined && number > 0) this.#limit = { member, value: number };
        break;
      case 'failed':
        if (!isNothing(value)) this.#add(this.#wrong, member, textOf(value));
        break;
      case 'alarm':
        // `timeout: 30` is how long the system tries.
        if (flag === true && typeof value !== 'number') this.#add(this.#wrong, member, '');
        break;
      case 'succeeded':
        if (flag === false) this.#add(this.#wrong, member, '');
        break;
      case 'state':
        if (isBadState(value, member)) this.#add(this.#wrong, member, String(value));
        else if (typeof value === 'string' && UNDER_WAY.test(value.trim())) this.#add(this.#underWay, member, value);
        break;
      case 'words':
        if (speaksOfPart(value)) this.#add(this.#wrong, member, textOf(value));
        break;
      default:
    }
  }

  /** A numeric offset is the position of the reader, a textual one leads to the next part. */
  #placed(member: string, value: JsonValue): void {
    const number = countOf(value);
    const [, last, all] =
      typeof value === 'string' ? (/^\D{0,20}\d+(\s*(?:-|–|to)\s*\d+)?\s*(?:of|\/)\s*(\d+)\b/i.exec(value) ?? []) : [];
    if (all !== undefined && last !== undefined) this.#add(this.#totals, member, Number(all));
    else if (all !== undefined) this.#pages = { member, value: Number(all) };
    else if (number !== undefined) this.#place = { member, value: number };
    else if (/offset$/i.test(member) && leadsOn(value)) this.#cursors.push(member);
  }

  #nextPart(path: readonly string[], member: string, value: JsonValue): void {
    if (!leadsOn(value)) {
      this.#isEnd = true;
      return;
    }
    const inner = isJsonObject(value)
      ? ['href', 'url', 'uri', 'link'].find((name) => typeof value[name] === 'string')
      : undefined;
    const address = inner !== undefined && isJsonObject(value) ? value[inner] : value;
    if (typeof address !== 'string' || !/^(?:https?:\/\/|\/|\?)/.test(address)) {
      this.#tokens.push(member);
      return;
    }
    this.#more.push(member);
    this.next ??= { path: memberPath(inner === undefined ? path : [...path, inner]), address };
  }

  /** `[{ "rel": "next", "href": … }]`, as several standards have it. */
  #links(path: readonly string[], links: readonly JsonValue[]): void {
    const named = (link: JsonValue): boolean =>
      isJsonObject(link) &&
      Object.entries(link)
        .flatMap(([name, value]) => (/^(?:rel|relation|name)$/i.test(name) ? value : []))
        .some((relation) => typeof relation === 'string' && /(?:^|[/:#\s])next(?:page)?$/i.test(relation));
    if (links.some(named)) this.#more.push(path.join('.'));
  }

  /** A number, or an object with it: Elasticsearch says by `relation` whether there may be more than it counted, others by a minus. */
  #total(member: string, value: JsonValue): void {
    const held = isJsonObject(value) ? (value.value ?? value.count ?? value.total ?? value[this.#list]) : value;
    const isBelow = typeof held === 'number' && held < 0;
    this.#add(this.#totals, member, countOf(isBelow ? -held : (held ?? null)));
    if (isBelow || (isJsonObject(value) && value.relation === 'gte')) this.#isAtLeast = true;
  }

  /** `items 0-24/66`, of any unit but bytes. */
  #range(text: string, member: string): void {
    if (/^\s*bytes/i.test(text) || this.#isIgnored(member)) return;
    const all = text.replace(/^.*\//, '').trim();
    if (all === '*') this.#cursors.push(member);
    this.#add(this.#totals, member, countOf(all));
  }

  #guess(name: string, member: string, value: JsonValue): void {
    const looks = looksLike(name);
    if (looks === 'wrong' && !isNothing(value) && !isAddress(value)) this.#doubtful.push(member);
    if (looks === 'total') this.#add(this.#likeTotals, member, countOf(value));
    if (looks === 'cursor' && typeof value !== 'boolean' && leadsOn(value) && !isTime(value))
      this.#cursors.push(member);
  }

  #add<T>(list: Found<T>[], member: string, value: T | undefined): void {
    if (value !== undefined && !this.#isIgnored(member)) list.push({ member, value });
  }

  #isIgnored(member: string): boolean {
    const last = member.slice(member.lastIndexOf('.') + 1).replace(/^status /, '');
    return ['*', member, last].some((name) => this.#ignored.has(name.toLowerCase()));
  }
}

/** The lists in the files of an account: each may be a part of one that is whole in all of them. */
export class FileLists {
  readonly #files: { readonly file: string; readonly list: WholeList; readonly read: ReadList }[] = [];

  add(file: string, list: WholeList, read: ReadList): void {
    this.#files.push({ file, list, read });
  }

  /** Yields everything that is missing, each with the file that reports it. */
  *missing(): Generator<{ readonly file: string; readonly gap: SourceGap }> {
    const short = this.#files.flatMap((one) => {
      const gap = one.list.missing(one.read);
      return gap === undefined ? [] : [{ ...one, gap, part: one.list.part() }];
    });
    for (const { file, gap, part } of short) {
      const alike = short.filter((other) => part !== undefined && other.part?.of === part.of);
      const places = new Set(alike.map((other) => other.part?.place ?? other.file));
      const records = alike.reduce((sum, { read }) => sum + read.records, 0);
      const came = part?.of.endsWith('parts') === true ? alike.length : records;
      if (alike.length < 2 || places.size !== alike.length || came !== part?.all) yield { file, gap };
    }
  }
}

function gapOf(what: Said, reason: Said): SourceGap {
  return { kind: 'gap', what, reason };
}

function moreGap(member: string, remedy: Said): SourceGap {
  return gapOf(
    phrase`the rest of the list`,
    worded`${{ member }} says that there is more: ${{ remedy }}; if it is not about the list, name ${{ member }} in ignored_members`,
  );
}

function greatest(found: readonly Found<number>[]): Found<number> | undefined {
  return found.reduce<Found<number> | undefined>(
    (most, one) => (most === undefined || one.value > most.value ? one : most),
    undefined,
  );
}

const NO = new Set(['', '0', 'false', 'no', 'none', 'null', 'nil', 'n', 'off', 'never', 'n/a', '-']);
const WELL = new Set(['ok', 'success', 'successful', 'succeeded', 'no error', 'no errors', 'noerror', '200', '200 ok']);

function flagOf(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value > 0;
  if (typeof value !== 'string') return undefined;
  if (NO.has(value.trim().toLowerCase())) return false;
  return /^(?:true|yes|y|on|1)$/i.test(value.trim()) ? true : undefined;
}

/** `is_last: 0` too; a number of another name, such as `last: 0`, counts something. */
function saysNo(value: JsonValue, member: string): boolean {
  if (typeof value === 'string') return /^(?:false|no|n)$/i.test(value.trim());
  return value === false || (value === 0 && /(?:^|\.)is[^.]*$/i.test(member));
}

function countOf(value: JsonValue): number | undefined {
  // `0-24/66` too, and `1,200`
  const text =
    typeof value === 'string' ? value.replace(/^\d+-\d+\/(?=\d)/, '').replaceAll(/,(?=\d{3}(?:,|$))/g, '') : '';
  const number = /^\d{1,15}$/.test(text) ? Number(text) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function leadsOn(value: JsonValue): boolean {
  if (typeof value === 'string') return !NO.has(value.trim().toLowerCase());
  if (typeof value === 'number') return value > 0;
  if (Array.isArray(value)) return value.some(leadsOn);
  if (!isJsonObject(value)) return value === true;
  const inner = ['href', 'url', 'uri', 'link'].find((name) => Object.hasOwn(value, name));
  return inner === undefined
    ? Object.values(value).some((one) => one !== undefined && leadsOn(one))
    : leadsOn(value[inner] ?? null);
}

/** Says that nothing went wrong. */
function isNothing(value: JsonValue): boolean {
  if (value === null || value === false || value === 0 || value === 200) return true;
  if (typeof value === 'string') return NO.has(value.trim().toLowerCase()) || WELL.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.every(isNothing);
  if (!isJsonObject(value)) return false;
  const { code } = value;
  return code === 0 || code === '0' || Object.values(value).every((one) => one === undefined || isNothing(one));
}

/** A list that is still being made, or a thing that is at work. */
const UNDER_WAY = /^(?:degraded|running|in[ _-]?progress|pending|queued|scheduled|processing)$/i;

function isBadState(value: JsonValue, member: string): boolean {
  // Return codes of programs are 0 on success; other codes may be 1 on success.
  if (typeof value === 'number' && value < (/(?:ret|return|result)_?code$|\brc$/i.test(member) ? 100 : 0))
    return value !== 0;
  if (typeof value === 'number') return value === 206 || value === 207 || (value >= 400 && value < 600);
  if (typeof value !== 'string') return value === false;
  return /^(?:err|error|errors|fail|failed|failure|fault|exception|n?ko|nok|not ok|unsuccessful|partial.*|incomplete|truncated|time(?:d)?[ _-]?out|aborted|cancell?ed|20[67]\b.*|[45]\d\d\b.*)$/i.test(
    value.trim(),
  );
}

/** `Showing 2 of 300 results`, but not `3 of 10 hosts are down`. */
const SHOWN_OF_ALL =
  /\b(?=(?:show|display|return|list|only|first)[a-z]*\D{0,20}\d|\d[^.]{1,40}(?:shown|displayed|returned|listed))\D{0,40}(\d{1,12}) (?:out )?of (\d{1,12})\b/i;

/** Only warnings about an incomplete list count; systems warn of much else. */
function speaksOfPart(value: JsonValue): boolean {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const [, shown, all] = SHOWN_OF_ALL.exec(text) ?? [];
  if (Number(shown) < Number(all)) return true;
  return /\bpartial|incomplete|truncated|unreachable|timed?[ _-]?out\b|no_results_on_page|not all\b|limit (?:was |has been )?(?:reached|exceeded)|could not be (?:read|reached|queried)|more results|too many (?:results|records|rows|matches|hosts|entries|objects)|(?:did|does|do) not (?:respond|answer)|no response from|results? (?:is |are |was |were )?limited to|limits? results|only (?:the )?first \d|exceed(?:s|ed) (?:the|its) |time exceeded|code = unavailable|no storeapis|"(?:type|level|(?:message)?severity)":"(?:error|fatal|critical)"/i.test(
    text,
  );
}

const MOST_TEXT = 200;

/** Returns the system's description of what went wrong. */
export function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 3).map(textOf).join('; ');
  if (!isJsonObject(value)) return value === true ? '' : String(value);
  const { code, message, data } = value;
  const said = message ?? value.detail ?? value.reason ?? value.description ?? value.title ?? value.error;
  const parts = [code, said, data]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => textOf(part as JsonValue));
  return parts.length > 0 ? parts.join(' ') : textOf(JSON.stringify(value));
}

function isAddress(value: JsonValue): boolean {
  return typeof value === 'string' && /^(?:https?:\/\/|\/)/.test(value);
}

function isTime(value: JsonValue): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d|^\d\d?:\d\d/.test(value);
}

/** Returns the part of `nomad-nexttoken` after the name of the vendor, if that part indicates that there is more. */
function headName(name: string): string {
  const [first = '', ...rest] = name.split('-');
  const isOwn = rest.length === 0 || senseOf(name) !== undefined || OTHER_THINGS.has(first);
  return !isOwn && ['next', 'more', 'total', 'alarm'].includes(senseOf(rest.join('')) ?? '') ? rest.join('-') : name;
}

/** Some headers hold a document. */
function headerValue(text: string): JsonValue {
  if (!/^\s*\{/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
