import { compileRuleSet, type CompiledRuleSet, type RuleSetDefinition } from '@tieout/engine';

const keptEntries = 16;

/** Compiled rule sets of the job entries that were used last, whose definitions never change: loops made for one batch stay warm for the next. */
export class RuleSetCache {
  private readonly entries = new Map<string, CompiledRuleSet>();

  get(entryId: string, definition: RuleSetDefinition): CompiledRuleSet {
    const compiled = this.entries.get(entryId) ?? compileRuleSet(definition);
    // A map keeps the order of insertion: the first one is the one that was used longest ago.
    this.entries.delete(entryId);
    this.entries.set(entryId, compiled);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= keptEntries) break;
      this.entries.delete(oldest);
    }
    return compiled;
  }
}
