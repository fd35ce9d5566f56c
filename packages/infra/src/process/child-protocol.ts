import type { DatabaseUsage } from '../db';
import type { ErrorCode, FieldError } from '../kernel/errors';
import type { WorkContext } from '../kernel/logger';
import type { Measure } from '../metrics';

/** A request of the parent to a child. */
export interface ChildCall {
  method: string;
  argument: unknown;
  context: WorkContext;
}

/** A child's answer to a call. */
export interface ChildAnswer {
  measures: Measure[];
  value?: unknown;
  error?: { code: ErrorCode; message: string; errors?: FieldError[]; stack?: string };
}

/** A child's report about itself. */
export interface ChildReport {
  residentBytes: number;
  /** The longest time that the event loop has been blocked since the previous report. */
  lagSeconds: number;
  database?: DatabaseUsage;
}

export type ChildMessage = { ready: true } | { report: ChildReport } | ChildAnswer;

/** The interval at which a healthy child reports. */
export const reportEveryMs = 5_000;
