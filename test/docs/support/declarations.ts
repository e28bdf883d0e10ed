import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One statement of a declaration file that gives something a name. */
export interface Declaration {
  readonly name: string;
  /** As the compiler prints it, without `export` and `declare`. */
  readonly text: string;
  /** Where it stands, for the names that it uses. */
  readonly file: string;
}

interface Module {
  readonly declarations: ReadonlyMap<string, { readonly text: string; readonly exported: boolean }>;
  /** Names that the module has from its neighbours. */
  readonly imports: ReadonlyMap<string, Origin>;
  /** Names that it hands on, by the names that others know them by. */
  readonly handedOn: ReadonlyMap<string, Origin>;
  /** Neighbours of which it hands on everything. */
  readonly wholes: readonly string[];
  /** Statements that hand on packages, as they are. */
  readonly packages: readonly string[];
}

interface Origin {
  readonly file: string;
  readonly name: string;
}

/**
 * The declarations that the compiler writes for a module, and what they lead to. It prints each statement with its first line
 * at the margin and nothing else there but closing brackets, which is all the syntax that is relied upon here: the compiler
 * itself has no interface for programs.
 */
export class Declarations {
  readonly #modules = new Map<string, Module>();

  /** What a module exports, sorted by name. */
  exportsOf(file: string): readonly Declaration[] {
    return [...this.#exported(file)]
      .map(([name, origin]) => this.#declaration(origin, name))
      .sort((a, b) => byName(a, b));
  }

  /** The statements by which a module exports packages. */
  packagesOf(file: string): readonly string[] {
    const { packages, wholes } = this.#module(file);
    return [...packages, ...wholes.flatMap((whole) => this.packagesOf(whole))];
  }

  /** What these use, and what that uses, without what is among them already. */
  usedBy(declarations: readonly Declaration[]): readonly Declaration[] {
    const seen = new Set(declarations.map(keyOf));
    const found: Declaration[] = [];
    const waiting = [...declarations];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const used of this.#uses(next)) {
        if (seen.has(keyOf(used))) continue;
        seen.add(keyOf(used));
        found.push(used);
        waiting.push(used);
      }
    }
    return found.sort(byName);
  }

  #uses({ text, file }: Declaration): readonly Declaration[] {
    const { declarations, imports } = this.#module(file);
    const words = new Set(text.replace(/'[^']*'|"[^"]*"/g, '').match(/[\w$]+/g));
    return [...words].flatMap((word) => {
      if (declarations.has(word)) return [this.#declaration({ file, name: word }, word)];
      const origin = imports.get(word);
      return origin === undefined ? [] : [this.#declaration(origin, origin.name)];
    });
  }

  #declaration(origin: Origin, name: string): Declaration {
    const { file, name: original } = this.#resolve(origin);
    const found = this.#module(file).declarations.get(original);
    if (found === undefined) throw new Error(`${origin.file} has no declaration of ${origin.name}`);
    return { name, text: found.text, file };
  }

  /** Where a name is declared that a module may only hand on. */
  #resolve({ file, name }: Origin): Origin {
    if (this.#module(file).declarations.has(name)) return { file, name };
    const origin = this.#exported(file).get(name);
    if (origin === undefined) throw new Error(`${file} exports no ${name}`);
    return origin;
  }

  #exported(file: string): ReadonlyMap<string, Origin> {
    const { declarations, handedOn, wholes } = this.#module(file);
    const own = [...declarations]
      .filter(([, { exported }]) => exported)
      .map(([name]) => [name, { file, name }] as const);
    return new Map([
      ...wholes.flatMap((whole) => [...this.#exported(whole)]),
      ...[...handedOn].map(([name, origin]) => [name, this.#resolve(origin)] as const),
      ...own,
    ]);
  }

  #module(file: string): Module {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const module = parse(file, readFileSync(file, 'utf8'));
    this.#modules.set(file, module);
    return module;
  }
}

const byName = (a: Declaration, b: Declaration): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const keyOf = ({ file, text }: Declaration): string => `${file}\0${text}`;

function parse(file: string, text: string): Module {
  const declarations = new Map<string, { text: string; exported: boolean }>();
  const imports = new Map<string, Origin>();
  const handedOn = new Map<string, Origin>();
  const wholes: string[] = [];
  const packages: string[] = [];
  for (const statement of text.split(/\n(?=[^\s})\]])/).map((each) => each.trim())) {
    if (statement === '' || statement === 'export {};') continue;
    const from = / from '([^']+)';$/.exec(statement)?.[1];
    const neighbour = from?.startsWith('.') ? join(dirname(file), from.replace(/\.ts$/, '.d.ts')) : undefined;
    if (from !== undefined && neighbour === undefined) {
      if (statement.startsWith('export')) packages.push(statement);
    } else if (neighbour !== undefined && /^export \*/.test(statement)) {
      wholes.push(neighbour);
    } else if (neighbour !== undefined) {
      const target = statement.startsWith('import') ? imports : handedOn;
      for (const [name, origin] of namesIn(statement)) target.set(name, { file: neighbour, name: origin });
    } else {
      const [, exported, bare = ''] = /^(export )?(?:declare )?([\s\S]*)$/.exec(statement) ?? [];
      const name = /^(?:abstract )?(?:interface|type|class|function|const|enum) ([\w$]+)/.exec(bare)?.[1];
      if (name === undefined) throw new Error(`${file}: a statement of no known kind: ${statement}`);
      const overload = declarations.get(name);
      const whole = overload === undefined ? bare : `${overload.text}\n${bare}`;
      declarations.set(name, { text: whole, exported: exported !== undefined });
    }
  }
  return { declarations, imports, handedOn, wholes, packages };
}

/** The names between the braces: how they are called here, and there. */
function namesIn(statement: string): readonly (readonly [string, string])[] {
  const list = /\{([^}]*)\}/.exec(statement)?.[1];
  if (list === undefined) throw new Error(`no names in ${statement}`);
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => {
      const [there = '', here = there] = each.split(' as ');
      return [here, there] as const;
    });
}
