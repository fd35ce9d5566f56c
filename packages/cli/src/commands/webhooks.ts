import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { TieoutError, type Input, type Tieout } from '@tieout/client';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../failure';
import { columnsOf, shownText } from '../output/print';
import { givenAs } from '../service/places';
import type { ServiceOptions, Session } from '../service/session';
import { WebhookReceiver, type ReceivedDelivery, type WebhookSecrets } from '../service/webhook-receiver';
import { ofService, sessionOf, type CommandContext } from './context';
import { portNumber } from './data';

interface ListenOptions extends ServiceOptions {
  publicUrl: string;
  port: string;
  forwardTo?: string;
  events?: string[];
  test?: true;
}

const help = `
The service delivers to public https addresses only. A tunnel to this computer has one: start it with the port of
--port, and give its address as --public-url. The webhook is removed when you end the command with Ctrl-C. Where the
key expires or somebody removes the webhook, the command ends with exit code 2.

Deliveries whose secret, signature or time is wrong are refused with 401. Those that are right go on to --forward-to
with all of their headers, so that your receiver verifies them with the secrets that are printed at the start; its
answer is that of the delivery.

Example:
  tieout webhooks listen --public-url https://abc.tunnel.example --forward-to http://localhost:8080/tieout --test
`;

export function addWebhooks(program: Command, context: CommandContext): void {
  const webhooks = program.command('webhooks').description('webhooks, and receiving their events for local work');
  ofService(webhooks.command('list').description('list the webhooks')).action(async (options: ServiceOptions) => {
    const { tieout, show } = await sessionOf(options, context);
    const items = await registered(tieout);
    await show(items, () =>
      columnsOf(
        ['id', 'url', 'events'],
        items.map(({ id, url, events }) => [id, shownText(url, 80), events?.join(' ') ?? 'all']),
      ),
    );
  });
  ofService(webhooks.command('listen').description('show events as they happen, and forward them'))
    .requiredOption('--public-url <address>', 'the https address of a tunnel to this computer')
    .option('--port <port>', 'the port of this computer that the tunnel leads to', '4400')
    .option('--forward-to <address>', 'send each event on to this address')
    .option('--events <events...>', 'only these events')
    .option('--test', 'ask for a WEBHOOK_TEST event at once')
    .addHelpText('after', help)
    .action(async (options: ListenOptions) => {
      await listen(await sessionOf(options, context), options);
      context.end(exitCodes.tied);
    });
}

async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { tieout, terminal } = session;
  const url = hookUrl(options.publicUrl);
  const { forwardTo } = options;
  if (forwardTo !== undefined) addressOf('--forward-to', forwardTo, ['http:', 'https:']);
  const stopped = new Promise<void>((resolve) => terminal.onInterrupt(resolve));
  const receiver = await WebhookReceiver.start({
    port: portNumber('--port', options.port),
    forwardTo,
    onDelivery: (delivery) => terminal.out.write(options.json ? `${JSON.stringify(delivery)}\n` : lineOf(delivery)),
  });
  try {
    const webhook = await register(tieout, url, options.events);
    try {
      receiver.secrets = webhook;
      terminal.err.write(startText(webhook, { url, port: receiver.port, forwardTo }));
      if (options.test) await tieout.testWebhook({ path: { id: webhook.id } });
      await whileRegistered(tieout, { id: webhook.id, url }, stopped);
    } finally {
      await remove(session, { id: webhook.id, url });
    }
    terminal.err.write('The webhook is removed\n');
  } finally {
    await receiver.stop();
  }
}

/** The address under which the command line registers; by it the command line recognises its own webhooks. */
function hookUrl(publicUrl: string): string {
  const url = addressOf('--public-url', publicUrl, ['https:']);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/tieout-listen`;
  return url.href;
}

function addressOf(option: string, text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !protocols.includes(url.protocol))
    throw new CommandError(`${option}: "${text}" is not an address that begins with ${protocols.join('// or ')}//`);
  return url;
}

const registered = async (tieout: Tieout) => (await tieout.listWebhooks()).data.webhooks;

/** Registers a webhook in place of one that a killed command has left. */
async function register(
  tieout: Tieout,
  url: string,
  events: string[] | undefined,
): Promise<WebhookSecrets & { id: string }> {
  for (const { id, url: known } of await registered(tieout))
    if (known === url) await tieout.deleteWebhook({ path: { id } });
  const secret = randomBytes(24).toString('base64url');
  const body = { url, secret, ...(events && { events }) } as Input<'createWebhook'>['body'];
  const places = { '/url': '--public-url', '/events': { option: '--events', values: events ?? [] } };
  const { data } = await givenAs(places, tieout.createWebhook({ body }));
  return { id: data.id, secret, signingSecret: data.signingSecret };
}

/** Time between two looks at the webhook. */
const checkMs = 5_000;

/** Waits for the interrupt. @throws if the webhook is gone, or the key is refused, meanwhile */
async function whileRegistered(
  tieout: Tieout,
  { id, url }: { id: string; url: string },
  stopped: Promise<void>,
): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const check = async (): Promise<void> => {
    for (;;) {
      await setTimeout(checkMs, undefined, { signal });
      try {
        await tieout.getWebhook({ path: { id }, signal });
      } catch (error) {
        if (!(error instanceof TieoutError)) throw error;
        const { status } = error;
        if (status === 404) throw new CommandError(`The webhook ${url} was removed meanwhile: run the command again`);
        // A service that does not answer, or has too much to do, may answer at the next look.
        if (status >= 400 && status < 500 && status !== 429) throw error;
      }
    }
  };
  const checked = check().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  try {
    await Promise.race([stopped, checked]);
  } finally {
    ended.abort();
  }
}

/** Removes the webhook; where that fails, says that it stays and what removes it. */
async function remove({ tieout, explained }: Session, { id, url }: { id: string; url: string }): Promise<void> {
  try {
    await tieout.deleteWebhook({ path: { id } });
  } catch (error) {
    if (!(error instanceof TieoutError)) throw error;
    if (error.status === 404) return;
    const { message, details, answer } = explained(error);
    const remedy = 'With a key that is valid, the same webhooks listen, ended with Ctrl-C, removes it';
    throw new CommandError(`The webhook ${url} could not be removed: ${message}`, [remedy, ...details], answer);
  }
}

function startText(
  { secret, signingSecret }: WebhookSecrets,
  { url, port, forwardTo }: { url: string; port: number; forwardTo: string | undefined },
): string {
  return [
    `${url} → http://127.0.0.1:${port}${forwardTo === undefined ? '' : ` → ${forwardTo}`}`,
    `secret ${secret}`,
    `signingSecret ${signingSecret}`,
    'Ready; Ctrl-C ends it\n',
  ].join('\n');
}

function lineOf({ event, eventId, answered, fault, body }: ReceivedDelivery): string {
  const time = new Date().toISOString().slice(11, 19);
  const what = fault === null ? shownText((body as { data?: unknown }).data, 200) : shownText(fault, 200);
  return `${time}  ${answered}  ${shownText(event) || '-'}  ${shownText(eventId)}  ${what}\n`;
}
