import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ConfigError, createLogger, readSettingsOrExit, runningCheck, runService, type Service } from '@tieout/infra';
import { readConfig, type McpConfig } from './config';
import { createAgentHttp } from './http';
import { createAgentServer, version } from './server';

const help = `Serves Tieout to agents that speak the Model Context Protocol.

Usage: tieout-mcp [--http]
  (nothing)    over standard input and output: TIEOUT_KEY is the key
  --http       over HTTP at /mcp: each request brings its key, Authorization: Bearer <key>
  --version    the version
  --help       this text

Settings in the environment:
  TIEOUT_URL           address of the API (http://localhost:3000)
  TIEOUT_KEY           key for the API; its scopes are what the agent may do. Without the scope agents:commit
                       it proposes changes, which a person confirms
  HOST, MCP_PORT       address and port of --http (0.0.0.0, 3003)
  MCP_ALLOWED_ORIGINS  web pages that may use --http
  MCP_MAX_SESSIONS     agents that are connected at a time (200)
`;

/** Standard output belongs to the protocol: errors go to standard error. */
async function serveStandardStreams({ apiUrl: url, key }: McpConfig): Promise<void> {
  if (key === undefined) return endWith('TIEOUT_KEY is not set: give the key that the agent uses');
  const { mcp, settled } = createAgentServer({ url, key });
  const end = (): void => void mcp.close().finally(() => process.exit(0));
  process.on('SIGTERM', end).on('SIGINT', end);
  // Requests before the end of the input are answered; their handlers begin after this event.
  process.stdin.on('end', () => setImmediate(() => void settled().then(end)));
  // A reader that leaves ends the server: there is nothing left to answer to.
  process.stdout.on('error', end);
  await mcp.connect(new StdioServerTransport());
}

function endWith(message: string): void {
  process.stderr.write(`tieout-mcp: ${message}\n(--help says how to use it)\n`);
  process.exitCode = 2;
}

async function checkApi(apiUrl: string): Promise<void> {
  const { ok, status } = await fetch(new URL('/readyz', apiUrl), { signal: AbortSignal.timeout(5_000) });
  if (!ok) throw new Error(`the API answers ${status}`);
}

async function serveHttp(config: McpConfig, service: Service): Promise<void> {
  const { apiUrl, host, port } = config;
  const checks = { ...runningCheck(service), api: () => checkApi(apiUrl) };
  const http = createAgentHttp({ ...config, checks, logger });
  const server = createServer(http.handle).listen(port, host);
  await once(server, 'listening');
  service.onShutdown('http server', async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    await http.close();
    server.closeIdleConnections();
    await closed;
  });
  logger.info({ port: (server.address() as AddressInfo).port, apiUrl }, 'ready');
}

function readStandardConfig(): McpConfig | undefined {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    endWith(error.message);
    return undefined;
  }
}

const logger = createLogger('mcp', 'info');
const [option, ...further] = process.argv.slice(2);

if (further.length > 0) endWith(`There is at most one option, not ${further.join(' ')} too`);
else if (option === '--help' || option === '-h') process.stdout.write(help);
else if (option === '--version') process.stdout.write(`${version}\n`);
else if (option === '--http') {
  const config = readSettingsOrExit('mcp', readConfig);
  logger.level = config.logLevel;
  void runService(logger, (service) => serveHttp(config, service));
} else if (option !== undefined) endWith(`There is no option ${option}`);
else {
  const config = readStandardConfig();
  if (config) void serveStandardStreams(config);
}
