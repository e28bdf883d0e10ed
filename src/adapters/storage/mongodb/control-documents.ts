import type { RulePlan } from './rule-plan-documents.ts';

/** Shared state of the nodes: a few small documents in one collection. */
export interface ControlDoc {
  /**
   * `hosts`, `rules/<type>`: a revision. `writer/<id>`: a node that is writing hosts. `lease/<name>`: who may do a thing
   * alone. `schema`: which shape the documents have.
   * `feed`: which change feed it is, and up to which place its rows are gone (`n`).
   */
  _id: string;
  kind: 'revision' | 'writer' | 'lease' | 'schema' | 'feed';
  /** Revision or schema version. */
  n?: number;
  /**
   * End of a lease or of a writer's sign, in milliseconds of the server's clock. A number because the substitute of the
   * tests finds every date equal to `$$NOW`; the server's clock because nodes' clocks differ.
   */
  until?: number;
  /** Another one once what cursors of the change feed mean is no longer true. */
  feed?: string;
  holder?: string;
  /** One more with each holder: it orders what the holders write. */
  token?: number;
  /** The changes that the holder of the rules' lease has promised to make. See `rule-journal.ts`. */
  plan?: RulePlan;
}
