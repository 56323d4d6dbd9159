import { ADDRCONFIG, lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { untilAborted } from '../lib/until-aborted.ts';

/** How long an address has before the next one is tried as well, in milliseconds (Connection Attempt Delay, RFC 8305 §5). */
const attemptDelayMs = 250;

/** An open TCP connection, and how long it took from its first packet, in milliseconds: the name was looked up before. */
export interface FirstConnection {
  socket: Socket;
  ms: number;
}

/**
 * Connects to the first address of the host that answers, IPv6 and IPv4 in turn (Happy Eyeballs, RFC 8305 §4 and §5). An address that
 * is slow to answer may still win after the next one's turn has come; Node's `autoSelectFamily` gives it up then.
 *
 * Rejects if the signal aborts, or if every address fails: with an `AggregateError` if there are several.
 *
 * @param lookup resolves the host's name; by default the system does
 */
export async function connectFirst(
  host: string,
  port: number,
  { lookup = systemLookup, signal }: { lookup?: LookupFunction | undefined; signal: AbortSignal },
): Promise<FirstConnection> {
  const addresses = isIP(host) === 0 ? await untilAborted(findAddresses(host, lookup), signal) : [host];
  return raceAddresses(addresses, port, signal);
}

/** The host's addresses, both families in turn, beginning with the address that the system prefers. */
async function findAddresses(host: string, lookup: LookupFunction): Promise<string[]> {
  const all = await new Promise<string[]>((resolve, reject) => {
    // Ask for no IPv6 addresses if this computer has none itself. Windows leaves them out without being asked.
    const hints = process.platform === 'win32' ? 0 : ADDRCONFIG;
    lookup(host, { all: true, hints }, (error, found) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    });
  });
  const family = isIP(all[0] ?? '');
  const preferred = all.filter((address) => isIP(address) === family);
  const others = all.filter((address) => isIP(address) !== family);
  return all.flatMap((_, index) => [...preferred.slice(index, index + 1), ...others.slice(index, index + 1)]);
}

/**
 * Tries each address in its turn, or at once when all before it have failed. The first to answer wins; the others are given up.
 */
function raceAddresses(addresses: readonly string[], port: number, signal: AbortSignal): Promise<FirstConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<FirstConnection>();
  const sockets: Socket[] = [];
  const errors: Error[] = [];
  let nextTurn: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (winner?: Socket) => {
    isOver = true;
    clearTimeout(nextTurn);
    signal.removeEventListener('abort', abort);
    for (const socket of sockets) if (socket !== winner) socket.destroy();
  };
  const abort = () => {
    end();
    reject(signal.reason);
  };
  const tryNext = () => {
    clearTimeout(nextTurn);
    const address = addresses[sockets.length];
    if (address === undefined) return;
    const startedMs = performance.now();
    const socket = connect({ host: address, port });
    sockets.push(socket);
    const fail = (error: Error) => {
      // Keep this listener, since a destroyed socket can still report an error.
      if (isOver) return;
      errors.push(error);
      if (errors.length === sockets.length) tryNext();
      if (errors.length < addresses.length) return;
      end();
      reject(errors.length === 1 ? error : new AggregateError(errors));
    };
    socket.on('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      end(socket);
      resolve({ socket, ms: performance.now() - startedMs });
    });
    nextTurn = setTimeout(tryNext, attemptDelayMs);
  };
  if (signal.aborted) abort();
  else {
    signal.addEventListener('abort', abort, { once: true });
    tryNext();
  }
  return promise;
}
