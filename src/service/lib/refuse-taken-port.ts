import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Programs on this computer accept connections at once; Windows takes seconds to refuse one to a network address. */
const answerWithinMs = 500;

/** The loopback addresses of a server that listens on all addresses. */
const loopbacks: Readonly<Record<string, readonly string[]>> = { '0.0.0.0': ['127.0.0.1'], '::': ['127.0.0.1', '::1'] };

/**
 * Rejects if another program accepts connections where a server on this host and port would be reached.
 *
 * Linux refuses to listen on a port of one address while another program listens on that port at all addresses, and the other way round.
 * macOS (with SO_REUSEADDR, which Node sets) and Windows allow it, and connections to the one address reach only the program bound to it.
 * So we try to connect first.
 *
 * @throws an EADDRINUSE like the system's
 */
export async function refuseTakenPort(host: string, port: number, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'linux' || port === 0) return;
  const answers = await Promise.all((loopbacks[host] ?? [host]).map((at) => isAnswered(at, port)));
  if (!answers.includes(true)) return;
  throw Object.assign(new Error(`Another program accepts connections to port ${port} of ${host}.`), { code: 'EADDRINUSE' });
}

async function isAnswered(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  // A late error would have no listener.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerWithinMs) });
    return true;
  } catch {
    // Timers run before sockets are read: after a stall of this process, the connection may already be open.
    await setImmediate();
    return !socket.connecting && !socket.destroyed;
  } finally {
    socket.destroy();
  }
}
