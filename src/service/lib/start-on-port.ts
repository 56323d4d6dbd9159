import { ServiceError } from '../../shared/errors.ts';
import type { PortRefusal } from '../../shared/model/service-notice.ts';
import { codeOf } from './read-error.ts';
import { refuseTakenPort } from './refuse-taken-port.ts';

/** How many ports after the preferred one, and after the usual one, to try. */
const maxTries = 100;
const lastPort = 65_535;

/** System errors for a port that cannot be listened on. Windows answers EACCES for those that it has reserved. */
const portCodes: Readonly<Record<string, PortRefusal>> = { EADDRINUSE: 'in-use', EACCES: 'no-permission' };
const refusalWords: Readonly<Record<PortRefusal, string>> = {
  'in-use': 'is in use by another program',
  'rtmp-port': 'is already the RTMP port',
  'no-permission': 'needs permissions that you do not have',
};

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
  /** The port's purpose and option, for the error: `HTTP` and `--http-port`. */
  purpose: string;
  option: string;
  /** Called if the preferred port was refused and another is used. */
  onMoved?: (reason: PortRefusal) => void;
}

/**
 * Starts listening on the requested port, or on the first that can be used: a saved port must never keep the screens from opening.
 *
 * @throws {ServiceError} PORT_IN_USE naming port and option, UNAVAILABLE when this computer does not have the address
 */
export async function startOnPort<Started>(
  choice: PortChoice,
  start: (port: number) => Promise<Started>,
  platform: NodeJS.Platform = process.platform,
): Promise<Started> {
  const { host, purpose, option, onMoved } = choice;
  let refused: { port: number; reason: PortRefusal; error: unknown } | undefined;
  for (const port of portsToTry(choice)) {
    try {
      await refuseTakenPort(host, port, platform);
      const started = await start(port);
      if (refused !== undefined) onMoved?.(refused.reason);
      return started;
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (addressCodes.has(code)) throw addressError(error as NodeJS.ErrnoException);
      const reason = code === 'EADDRINUSE' && port === choice.rtmpPort ? 'rtmp-port' : portCodes[code];
      if (reason === undefined) throw error;
      refused ??= { port, reason, error };
    }
  }
  const why = refused && `${refused.port} ${refusalWords[refused.reason]}`;
  throw new ServiceError('PORT_IN_USE', `The ${purpose} port ${why}. Choose another with ${option}, or 0 for any free port.`, {
    cause: refused?.error,
  });
}

function* portsToTry({ asked, preferred, usual, mayUse = () => true }: PortChoice): Generator<number> {
  if (asked !== undefined) return yield asked;
  for (const first of new Set([preferred, usual])) {
    for (let port = first; port <= Math.min(first + maxTries, lastPort); port += 1) if (mayUse(port)) yield port;
  }
  yield 0;
}

function addressError(error: NodeJS.ErrnoException & { address?: string; hostname?: string }): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `This computer has no address ${error.address ?? error.hostname}. Choose one of its addresses with --host, such as 127.0.0.1.`,
    { cause: error },
  );
}
