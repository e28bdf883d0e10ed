import type { ObjectId } from 'mongodb';
import type { RuleDoc, RuleVersionDoc } from './documents.ts';

/** One change of one document. */
export interface RuleStep {
  /** `confirmed` makes no version. */
  readonly change: RuleVersionDoc['change'] | 'confirmed';
  /** As it will be, or as it was for `removed`; `latest` is filled in here. */
  readonly doc: RuleDoc;
  /** The version that is stored until then; 0 for a new document. */
  readonly expected: number;
  readonly at: Date;
  readonly actor: string;
}

/**
 * The changes promised by the holder of the lease: either all of them happen, whichever process finishes them, or the plan was
 * never written.
 */
export interface RulePlan {
  readonly token: number;
  /** The steps, when they are few; else `parts` documents of `rulePlans` hold them. */
  readonly steps: readonly RuleStep[];
  readonly parts: number;
  readonly types: readonly string[];
  readonly paid: readonly AppliedEffect[];
}

export interface PlanPart {
  /** `<token>/<number>` */
  _id: string;
  token: number;
  number: number;
  steps: readonly RuleStep[];
}

/** An effect of a host that the plan applies. */
export interface AppliedEffect {
  readonly hostname: string;
  readonly id: ObjectId;
}
