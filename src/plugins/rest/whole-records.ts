import type { HttpClient, JsonValue } from '../../ports/index.ts';
import { type Detailed, Details, type Join, type JoinedList, joined, readJoined } from './join.ts';

interface Context {
  readonly signal: AbortSignal;
}

/** Makes records whole: with what is joined to them by a member, and with what is asked for each. */
export class WholeRecords {
  readonly #lists: readonly (readonly [Join, JoinedList])[];
  readonly #details: Details | undefined;

  private constructor(lists: readonly (readonly [Join, JoinedList])[], details: Details | undefined) {
    this.#lists = lists;
    this.#details = details;
  }

  /** Reads the lists that are joined. `most` requests for single records are under way at once. */
  static async of(client: HttpClient, joins: readonly Join[], most: number, context: Context): Promise<WholeRecords> {
    const lists: (readonly [Join, JoinedList])[] = [];
    for (const join of joins) {
      if (!join.isForEach) lists.push([join, await readJoined(client, join, context)]);
    }
    const forEach = joins.filter(({ isForEach }) => isForEach);
    return new WholeRecords(lists, forEach.length === 0 ? undefined : new Details(client, forEach, most));
  }

  /** Nothing belongs to records. */
  get isAlone(): boolean {
    return this.#lists.length === 0 && this.#details === undefined;
  }

  /** In the order of the records. */
  async of(records: readonly JsonValue[], context: Context): Promise<readonly Detailed[]> {
    const withLists = records.map((record) =>
      this.#lists.reduce((whole, [join, list]) => joined(whole, join, list), record),
    );
    return this.#details?.of(withLists, context) ?? withLists.map((record) => ({ ok: true, record }));
  }
}
