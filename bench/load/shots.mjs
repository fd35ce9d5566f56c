import autocannon from 'autocannon';
import { cpuSince } from './cpu.mjs';

/**
 * One measurement: the same kinds of requests, one after the other, on every connection.
 *
 * @param {{ url: string, headers: Record<string, string>, processes: () => { name: string, pid: number }[] }} target
 * @param {{ seconds: number, connections: number, requests: object[], settled?: () => Promise<unknown> }} options
 *   `settled`: resolves when the service has done what the requests have left to it; CPU time is counted until then
 */
export async function shoot(target, { seconds, connections, requests, settled }) {
  const cpu = cpuSince(target.processes());
  const result = await autocannon({
    url: target.url,
    headers: target.headers,
    connections,
    duration: seconds,
    timeout: 30,
    requests,
  });
  await settled?.();
  const answered = result['2xx'];
  return {
    perSecond: answered / result.duration,
    answered,
    failed: result.non2xx + result.errors,
    p50: result.latency.p50,
    p99: result.latency.p99,
    max: result.latency.max,
    cpuMs: cpu().map(({ name, seconds: used }) => ({ name, ms: (used * 1000) / Math.max(1, answered) })),
  };
}

/** Returns a function that cycles through the values. */
export const inTurn = (values) => {
  let next = 0;
  return () => values[next++ % values.length];
};

/** Makes a record with a new external id for each request; `onRecord` gets the id of each acknowledged record. */
export function postRequests({ dataset, bodies, run, onRecord }) {
  let number = 0;
  const body = inTurn(bodies.map((value) => `","body":${JSON.stringify(value)}}`));
  return [
    {
      method: 'POST',
      path: `/v1/records?dataset=${dataset}`,
      headers: { 'content-type': 'application/json' },
      setupRequest: (request) => ({ ...request, body: `{"externalId":"${run}-${number++}${body()}` }),
      onResponse: (status, text) => {
        if (status === 202) onRecord(JSON.parse(text).id);
      },
    },
  ];
}

/** A record by its id, a page of records, a page of matches, in turn. */
export function readRequests({ dataset, recordIds, jobId }) {
  const id = inTurn(recordIds);
  return [
    { method: 'GET', setupRequest: (request) => ({ ...request, path: `/v1/records/${id()}` }) },
    { method: 'GET', path: `/v1/records?dataset=${dataset}&limit=25` },
    { method: 'GET', path: `/v1/matches?matchingJobId=${jobId}&limit=25` },
  ];
}
