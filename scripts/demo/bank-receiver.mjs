import { requireFrom } from '../../tools/paths.mjs';

const arrivalMs = 240_000;

/**
 * A receiver of webhooks on this machine: HTTPS, with its own authority. It shows each event as it comes and takes
 * those only that bring the secret.
 *
 * @param {{ secret: string, show: (event: { event: string, data: Record<string, any> }) => void }} options
 */
export async function startBankReceiver({ secret, show }) {
  const { startHttpsReceiver } = requireFrom('packages/testing')('@tieout/testing');
  const receiver = await startHttpsReceiver();
  const events = [];
  const waiting = new Set();
  let refused = 0;
  receiver.on('*', ({ response }) => {
    const { headers, body } = receiver.requests().at(-1);
    if (headers.authorization !== secret) {
      refused++;
      return void response.writeHead(401).end();
    }
    const event = JSON.parse(body.toString());
    response.writeHead(204).end();
    // The same event may come more than once.
    if (events.some(({ data }) => data.eventId === event.data.eventId)) return;
    events.push(event);
    show(event);
    for (const look of waiting) look();
  });
  return {
    url: receiver.urlByAddress('/events'),
    port: receiver.port,
    ca: receiver.ca,
    events,
    refused: () => refused,
    /** Resolves with the first matching event after the first `since` matching ones. */
    arrival: (what, fits, since = 0) =>
      new Promise((resolve, reject) => {
        const end = (settle, value) => {
          clearTimeout(timer);
          waiting.delete(look);
          settle(value);
        };
        const look = () => {
          const found = events.slice(since).find(fits);
          if (found) end(resolve, found);
        };
        const timer = setTimeout(
          () => end(reject, new Error(`${what} did not come within ${arrivalMs / 1000} s`)),
          arrivalMs,
        );
        waiting.add(look);
        look();
      }),
    stop: () => receiver.stop(),
  };
}

/** One line of the terminal for an event. */
export function eventLine({ event, data }) {
  const { status, transactionIds, accountId, error, sequence, decision, decisionCounts } = data;
  const details = [
    transactionIds && `${transactionIds.length} of account ${accountId.slice(0, 8)}`,
    error && `${error.code}: ${error.message}`,
    decision ?? status,
    decisionCounts &&
      Object.entries(decisionCounts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
  ].filter(Boolean);
  return `    → ${event.padEnd(26)} ${sequence ? `#${sequence}`.padEnd(4) : '    '} ${details.join(' · ')}`;
}
