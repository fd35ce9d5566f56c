import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Calls a tool as an agent does. */
export type ToolCall = (name: string, input?: object) => Promise<CallToolResult>;

export const callOf =
  (client: Client): ToolCall =>
  async (name, input = {}) =>
    (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;

/** The data of an answer. */
export const dataOf = <T = Record<string, unknown>>({ structuredContent }: CallToolResult): T => structuredContent as T;

/** The failure that an answer tells. */
export function failureOf({ isError, content }: CallToolResult): Record<string, unknown> {
  expect(isError).toBe(true);
  return JSON.parse((content[0] as { text: string }).text) as Record<string, unknown>;
}
