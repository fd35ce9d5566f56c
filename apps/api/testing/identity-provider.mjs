import { once } from 'node:events';
import http from 'node:http';
import Provider from 'oidc-provider';

// An OpenID provider in a process of its own. It says at which port it listens, and is told where to lead people back.
// A person signs in there with any password; the login is the email, and one that begins with "unverified" is not
// verified.

const server = http.createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
process.send({ issuer });
const [{ redirectUri }] = await once(process, 'message');

const provider = new Provider(issuer, {
  clients: [{ client_id: 'tieout', client_secret: 'secret', redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  cookies: { keys: ['a key of a test'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
  }),
});
server.on('request', provider.callback());
process.send({ ready: true });
process.on('disconnect', () => process.exit());
