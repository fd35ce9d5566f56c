import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createAgentServer } from './server';

interface AgentSession {
  transport: StreamableHTTPServerTransport;
  keyHash: Buffer;
  usedMs: number;
  /** Requests that are being answered, an open stream among them. */
  requests: number;
}

export interface SessionOptions {
  apiUrl: string;
  maxSessions: number;
}

/** Sessions without a request for this long are ended. */
const idleMs = 30 * 60_000;
const checkEveryMs = 60_000;
/** One key may open at most 1/shareOfKey of all sessions, so that others find room. */
const shareOfKey = 4;
const maxBodyBytes = 2 * 1024 * 1024;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Agents that are connected over HTTP. A session answers the key that has begun it, and no other one. */
export class Sessions {
  private readonly byId = new Map<string, AgentSession>();
  /** Also those that are beginning. */
  private readonly all = new Set<AgentSession>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SessionOptions) {
    this.timer = setInterval(() => this.endIdle(), checkEveryMs).unref();
  }

  /** Finds the session of a key; undefined for an unknown one, and for one of another key. */
  find(id: string, key: string): AgentSession | undefined {
    const session = this.byId.get(id);
    return session && timingSafeEqual(session.keyHash, hashOf(key)) ? session : undefined;
  }

  /** Returns whether a key may begin one more session; the one of it that was idle longest makes room. */
  hasRoom(key: string): boolean {
    const { maxSessions } = this.options;
    const keyHash = hashOf(key);
    const own = [...this.all].filter((session) => session.keyHash.equals(keyHash));
    if (own.length < Math.ceil(maxSessions / shareOfKey) && this.all.size < maxSessions) return true;
    const [idle] = own.filter(({ requests }) => requests === 0).sort((a, b) => a.usedMs - b.usedMs);
    if (idle) this.end(idle);
    return idle !== undefined;
  }

  /** Begins a session with the request that initializes it; another request is refused by the transport. */
  async begin(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => void this.byId.set(id, session),
      onsessionclosed: () => this.end(session),
    });
    const session: AgentSession = { transport, keyHash: hashOf(key), usedMs: performance.now(), requests: 0 };
    this.all.add(session);
    try {
      const { mcp } = createAgentServer({ url: this.options.apiUrl, key });
      await mcp.connect(transport);
      await this.answer(session, request, response);
    } finally {
      if (transport.sessionId === undefined) this.end(session);
    }
  }

  async answer(session: AgentSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
    session.requests++;
    session.usedMs = performance.now();
    response.once('close', () => {
      session.requests--;
      session.usedMs = performance.now();
    });
    await session.transport.handleRequest(request, response);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.all].map(({ transport }) => transport.close()));
    this.all.clear();
    this.byId.clear();
  }

  private end(session: AgentSession): void {
    this.all.delete(session);
    if (session.transport.sessionId !== undefined) this.byId.delete(session.transport.sessionId);
    void session.transport.close();
  }

  private endIdle(): void {
    for (const session of this.all)
      if (session.requests === 0 && performance.now() - session.usedMs > idleMs) this.end(session);
  }
}
