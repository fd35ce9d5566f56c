import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { validateRuleSet, type RuleSetDefinition, type RuleSetParams } from '@tieout/engine';
import { parseDocument } from 'yaml';
import { CommandError, unreadable } from '../failure';
import { schemaFaults, type RuleFault } from './schema-faults';

/** A rule set as a file holds it. */
export interface RuleFile {
  name?: string;
  /** Names of datasets. */
  left?: string;
  right?: string;
  engine?: 'jsonata' | 'jsonata-batch';
  jsonataExpr?: string | null;
  params: RuleSetParams;
  logicJson?: Record<string, unknown> | null;
}

/** Reads a rule set from a file of YAML or JSON, which is YAML too. */
export async function readRuleFile(path: string): Promise<RuleFile> {
  const text = await textOf(path);
  const rules = parseRules(text, path);
  const ofSchema = schemaFaults(rules);
  const faults = ofSchema.length > 0 ? ofSchema : definitionFaults(rules);
  if (faults.length > 0)
    throw new CommandError(
      `${path}: is not a rule set`,
      faults.map(({ path: at, message }) => `${at} ${message}`),
    );
  return rules;
}

/** Reads a text. @throws CommandError for one that is not UTF-8, whose rules would compare other letters */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!isUtf8(bytes)) throw new CommandError(`${path}: is not UTF-8; save it in that encoding`);
  return bytes.toString();
}

/** @throws CommandError for a text that is neither YAML nor JSON */
export function parseRules(text: string, path: string): RuleFile {
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) throw new CommandError(`${path}: ${error.message.split('\n')[0]?.replace(/:$/, '')}`);
  try {
    return document.toJS({ maxAliasCount: 100 }) as RuleFile;
  } catch (thrown) {
    throw new CommandError(`${path}: ${(thrown as Error).message}`);
  }
}

/** Returns the definition that the engine compiles. */
export function definitionOf({ engine = 'jsonata', jsonataExpr = null, params }: RuleFile): RuleSetDefinition {
  return { engine, jsonataExpr, params, version: 1 };
}

function definitionFaults(rules: RuleFile): RuleFault[] {
  return validateRuleSet(definitionOf(rules)).map(({ path, message }) => ({ path, message }));
}
