import type { JsonObject, References, RuleSetDefinition, SampledPair, SampledPairsInput } from '@tieout/engine';
import type { Notation } from '@tieout/formats';
import type { FieldError, TenantDb } from '@tieout/infra';

export type { JsonObject } from '@tieout/engine';
export type { Notation } from '@tieout/formats';

// Types that every scope carries. Higher groups implement them; the kernel imports none of those groups.

export const fieldTypes = ['string', 'number', 'amount', 'boolean', 'date', 'datetime', 'array', 'object'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** The parts of a declared field that are needed to read its value from a record. */
export interface FieldDefinition {
  key: string;
  type: FieldType;
  sourcePath: string | null;
  transformExpr: string | null;
  isIdentity: boolean;
  /** Notation of the field's texts. Absent: JSON numbers and ISO 8601 dates. */
  notation?: Notation;
}

/** Input of `Evaluator.check`, as it crosses to the evaluating process. */
export interface CheckRequest {
  definition: RuleSetDefinition;
  /** The fields that expressions may refer to; absent: any. */
  declared?: { left: string[]; right: string[] };
}

export interface PreviewPair {
  leftRecordId?: string;
  rightRecordId?: string;
  left: JsonObject;
  right: JsonObject;
}

/** Input of `Evaluator.preview`, as it crosses to the evaluating process. */
export interface PreviewRequest {
  definition: RuleSetDefinition;
  pairs: PreviewPair[];
}

export interface PreviewPairResult {
  leftRecordId?: string;
  rightRecordId?: string;
  decision: 'MATCH' | 'POSSIBLE' | 'NO_MATCH' | 'ERROR';
  score: number | null;
  explanation: JsonObject | null;
  dropped?: string;
  /** `expression`: the id of the failed expression. */
  error?: { code: string; message: string; expression: string };
}

export interface PreviewResult {
  results: PreviewPairResult[];
  /** The back end of each expression, by expression id. */
  compiled: Record<string, 'compiled' | 'reference'>;
}

/** Results of a preview, with warnings about them. */
export interface WarnedPreview extends PreviewResult {
  warnings: { code: string; message: string }[];
}

/** A record to score, and what remains of its amount; null where it has none. */
export interface ScoredRecord {
  value: JsonObject;
  rest: string | null;
}

/** Input of `Evaluator.candidates`: an item, and records that may belong to it. */
export interface CandidateRequest {
  definition: RuleSetDefinition;
  side: 'left' | 'right';
  item: ScoredRecord;
  partners: ScoredRecord[];
  /** Groups of `partners` among which group members are searched, as lists of indexes. */
  pools: number[][];
}

/** Partners whose amounts add up to the item. */
export interface CandidateGroup {
  members: number[];
  score: number;
  decision: 'MATCH' | 'POSSIBLE' | 'NO_MATCH';
  explanation: JsonObject;
  /** The reason for which the rule set does not compose it; null where it does. */
  refusal: 'composition' | 'window' | 'filter' | 'threshold' | null;
}

export interface CandidatePair extends PreviewPairResult {
  /** The part of blocking that keeps the pair from being compared; null: none. */
  blocked: 'blocking' | 'window' | null;
}

export interface CandidateResult {
  /** In the order of the partners. */
  pairs: CandidatePair[];
  groups: CandidateGroup[];
}

/** The declared fields of a dataset, and the bodies whose identity they give. */
export interface IdentifyRequest {
  fields: readonly FieldDefinition[];
  bodies: readonly JsonObject[];
}

/** Fields that need not be stored, and the bodies over which they are computed. */
export interface FieldValuesRequest {
  fields: readonly FieldDefinition[];
  bodies: readonly JsonObject[];
}

/** The fields of one body: values by key, and errors of the others. */
export interface FieldValues {
  values: JsonObject;
  errors: { field: string; code: string; message: string }[];
}

/**
 * Runs expressions that tenants wrote. A process that must stay responsive, such as the API, holds an evaluator that
 * works in child processes; the child process of a worker evaluates in place.
 */
export interface Evaluator {
  /** Finds the faults that keep a rule set from running; paths are JSON pointers from the rule set. */
  check(request: CheckRequest): Promise<FieldError[]>;
  /** Finds the fields that a rule set reads. */
  references(definition: RuleSetDefinition): Promise<References>;
  /** Chooses pairs that blocking lets through. */
  samplePairs(request: SampledPairsInput): Promise<SampledPair[]>;
  /** Gives decisions, scores and explanations of pairs; stores nothing. */
  preview(request: PreviewRequest): Promise<PreviewResult>;
  /** Scores the partners of an item, and finds groups that add up to it; stores nothing. */
  candidates(request: CandidateRequest): Promise<CandidateResult>;
  /** Gives the external id of each body; null where the identity fields give none. */
  identify(request: IdentifyRequest): Promise<(string | null)[]>;
  /** Computes the fields of each body. */
  fieldValues(request: FieldValuesRequest): Promise<FieldValues[]>;
}

/** A record as a request sends it, on its way into the database. */
export interface SentRecord {
  /** Id of the row, if the record is new. */
  id: string;
  externalId: string | null;
  /** False: the identity fields of the dataset, if any, must be read before a record without external id is stored. */
  isIdentified: boolean;
  /** JSON text. */
  data: string;
}

/** The id under which a record is stored, or the fields that give its identity; undefined: there is no such dataset. */
export type StoreOutcome = { id: string } | { identity: FieldDefinition[] } | undefined;

/** Stores a record together with others that requests send at the same time, and has them processed. */
export type StoreInGroup = (tenantId: string, dataset: string, record: SentRecord) => Promise<StoreOutcome>;

/**
 * Selects the records that hold the data of `fileId` and were created while one of the files `madeBy` was read. Files
 * of a dataset are read one after the other, so records stay that others created and the file has only updated.
 */
export interface RecordsOfFile {
  datasetId: string;
  fileId: string;
  madeBy: readonly string[];
}

/**
 * Removes the records of a file, with their matches, composites and places in the lists of unmatched records.
 * @param beforeStep called before each step: reports progress, or throws
 */
export type RemoveRecordsOfFile = (
  db: TenantDb,
  records: RecordsOfFile,
  beforeStep: () => Promise<unknown>,
) => Promise<void>;
