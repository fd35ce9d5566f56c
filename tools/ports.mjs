import net from 'node:net';

/** Listens for a moment to see whether a port is free; 0 asks the system for any free one. */
function tryListen(port, host) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => resolve(taken));
    });
  });
}

export const freePort = () => tryListen(0, '127.0.0.1');

/** A port is free when no process listens on it, neither on this host's address nor on all addresses. */
export async function isFree(port, host) {
  if ((await tryListen(port, host)) === null) return false;
  return host === '127.0.0.1' ? !(await answers(port, '127.0.0.1')) : true;
}

/** Returns whether something accepts connections there. */
export function answers(port, host) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host, timeout: 500 });
    const done = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('timeout', () => done(false));
  });
}

/**
 * The port a service listens on: an explicit one must be free, a default one gives way to the next free one.
 *
 * @returns {Promise<number>}
 */
export async function choosePort({ name, explicit, preferred, host, taken = [] }) {
  if (explicit !== undefined) {
    const port = Number(explicit);
    if (!/^\d+$/.test(explicit) || port < 1 || port > 65535)
      throw new Error(`${name}=${explicit} is not a port (1 to 65535)`);
    if (taken.includes(port)) throw new Error(`${name}=${port} is already used by another part of this start`);
    if (!(await isFree(port, host)))
      throw new Error(`Port ${port} is taken by another program (${name}=${port}). Stop it or set another ${name}.`);
    return port;
  }
  for (let port = preferred; port < preferred + 200 && port <= 65535; port++) {
    if (!taken.includes(port) && (await isFree(port, host))) return port;
  }
  throw new Error(`No free port from ${preferred} to ${preferred + 199}; set ${name}.`);
}

/**
 * Starts a service on the port that was chosen for it. Another program may have taken the port since: a default one
 * then gives way to the next free one.
 *
 * @param {{ name: string, explicit?: string, preferred: number, host: string, port: number }} choice
 * @param {(port: number) => Promise<unknown>} start
 * @returns {Promise<number>} The port it listens on.
 */
export async function startOnPort({ port, ...wanted }, start) {
  for (;;) {
    try {
      await start(port);
      return port;
    } catch (error) {
      if (wanted.explicit !== undefined || !error.message.includes('EADDRINUSE')) throw error;
      port = await choosePort({ ...wanted, preferred: port + 1 });
    }
  }
}
