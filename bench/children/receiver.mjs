import { performance } from 'node:perf_hooks';
import { requireFrom } from '../../tools/paths.mjs';
import { serveParent } from '../child.mjs';

const { startHttpsReceiver } = requireFrom('packages/testing')('@tieout/testing');

/** The arrival time of each event at /timed, by its id. */
const arrivals = new Map();
let receiver;

serveParent({
  async start() {
    receiver = await startHttpsReceiver({ record: false });
    receiver.on('/hang', () => undefined);
    receiver.on('/timed', ({ request, response }) => {
      arrivals.set(request.headers['webhook-id'], performance.timeOrigin + performance.now());
      response.end();
    });
    return { port: receiver.port, ca: receiver.ca, url: receiver.urlByAddress('') };
  },
  arrivals: () => arrivals,
});
