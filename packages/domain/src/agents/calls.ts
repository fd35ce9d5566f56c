import { newId } from '@tieout/infra';
import { recordAudit } from '../audit';
import type { TenantScope } from '../kernel/scope';

/** One use of a tool by an agent. */
export interface AgentCall {
  tool: string;
  arguments: Record<string, unknown>;
  reason: string | null;
}

/**
 * Records a call in the audit before it is carried out: a call that cannot be recorded does not take place. Changes
 * that it makes have the same request id.
 */
export async function recordAgentCall(scope: TenantScope, call: AgentCall): Promise<{ id: string }> {
  const id = newId();
  await recordAudit(scope, {
    action: 'agent.call',
    object: { type: 'agent_call', id },
    after: { tool: call.tool, arguments: call.arguments },
    reason: call.reason,
  });
  return { id };
}
