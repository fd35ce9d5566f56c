import { Type } from '@sinclair/typebox';
import { commonSettings, loadConfig } from '@tieout/infra';

const { LOG_LEVEL, HOST } = commonSettings;

/** Settings of the server for agents. It is a client of the API, and knows no store. */
export const settings = Type.Object({
  TIEOUT_URL: Type.String({
    default: 'http://localhost:3000',
    pattern: '^https?://',
    description: 'Address of the API, for the command line and the server for agents',
  }),
  TIEOUT_KEY: Type.Optional(
    Type.String({ minLength: 1, description: 'Key for the API; over HTTP each request of an agent brings its own' }),
  ),
  LOG_LEVEL,
  HOST,
  MCP_PORT: Type.Integer({
    default: 3003,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the server for agents; 0 takes a free one',
  }),
  MCP_ALLOWED_ORIGINS: Type.Optional(
    Type.String({
      pattern: '^https?://[^,\\s/]+(,https?://[^,\\s/]+)*$',
      description: 'Origins of web pages that may use the server for agents, with commas between. Default: none',
    }),
  ),
  MCP_MAX_SESSIONS: Type.Integer({
    default: 200,
    minimum: 1,
    maximum: 10_000,
    description: 'Agents that are connected over HTTP at a time',
  }),
});

export interface McpConfig {
  apiUrl: string;
  key: string | undefined;
  logLevel: string;
  host: string;
  port: number;
  allowedOrigins: readonly string[];
  maxSessions: number;
}

/** @throws ConfigError */
export function readConfig(env: NodeJS.ProcessEnv = process.env): McpConfig {
  const given = loadConfig(settings, env);
  return {
    apiUrl: given.TIEOUT_URL,
    key: given.TIEOUT_KEY,
    logLevel: given.LOG_LEVEL,
    host: given.HOST,
    port: given.MCP_PORT,
    allowedOrigins: given.MCP_ALLOWED_ORIGINS?.split(',') ?? [],
    maxSessions: given.MCP_MAX_SESSIONS,
  };
}
