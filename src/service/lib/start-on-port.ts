import type { ServiceError } from '../../shared/errors.ts';
import type { PortPurpose, PortRefusal } from '../../shared/model/service-notice.ts';
import { codeOf } from './read-error.ts';
import { refuseTakenPort } from './refuse-taken-port.ts';
import { startError } from './start-error.ts';

/** How many ports after the preferred one, and after the usual one, to try. */
const maxTries = 100;
const lastPort = 65_535;

/** System errors for a port that cannot be listened on. Windows answers EACCES for those that it has reserved. */
const portCodes: Readonly<Record<string, PortRefusal>> = { EADDRINUSE: 'in-use', EACCES: 'no-permission' };

/** System errors for an address that cannot be listened on: an unknown host name, an address of another computer, or IPv6 without IPv6. */
const addressCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

export interface PortChoice {
  /** The address or name to listen on. */
  host: string;
  /** An explicitly requested port: if it can't be used, that is an error. 0 is any free port. */
  asked: number | undefined;
  /** Used if no port was requested; if it can't be used, the next usable one. */
  preferred: number;
  /** Tried, with the ports after it, if the preferred port and those soon after it fail; after that, any free port. */
  usual: number;
  /** Whether a port may be used that wasn't requested; absent: any. */
  mayUse?: (port: number) => boolean;
  /** The port that the RTMP ingest listens on already. */
  rtmpPort?: number | undefined;
  /** For the error. */
  purpose: PortPurpose;
  /** Called if the preferred port was refused and another is used. */
  onMoved?: (reason: PortRefusal) => void;
}

/**
 * Starts listening on the requested port, or on the first that can be used: a saved port must never keep the screens from opening.
 *
 * @throws {ServiceError} PORT_IN_USE, or UNAVAILABLE when this computer does not have the address; with a `startFault`
 */
export async function startOnPort<Started>(
  choice: PortChoice,
  start: (port: number) => Promise<Started>,
  platform: NodeJS.Platform = process.platform,
): Promise<Started> {
  const { host, purpose, onMoved } = choice;
  let refused: { reason: PortRefusal; error: ServiceError } | undefined;
  for (const port of portsToTry(choice)) {
    try {
      await refuseTakenPort(host, port, platform);
      const started = await start(port);
      if (refused !== undefined) onMoved?.(refused.reason);
      return started;
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (addressCodes.has(code)) throw startError({ code: 'no-address', address: findAddress(error) ?? host }, error);
      const reason = code === 'EADDRINUSE' && port === choice.rtmpPort ? 'rtmp-port' : portCodes[code];
      if (reason === undefined) throw error;
      refused ??= { reason, error: startError({ code: 'port-refused', purpose, port, reason }, error) };
    }
  }
  // At least one port was tried.
  throw refused?.error;
}

function* portsToTry({ asked, preferred, usual, mayUse = () => true }: PortChoice): Generator<number> {
  if (asked !== undefined) return yield asked;
  for (const first of new Set([preferred, usual])) {
    for (let port = first; port <= Math.min(first + maxTries, lastPort); port += 1) if (mayUse(port)) yield port;
  }
  yield 0;
}

/** The address that a name stands for, or the name if it stands for none. */
function findAddress(error: unknown): string | undefined {
  const { address, hostname } = error as { address?: string; hostname?: string };
  return address ?? hostname;
}
