import { ServiceError } from '../../shared/errors.ts';
import { refuseTakenPort } from './refuse-taken-port.ts';

/** How many ports after the preferred one to try. */
const maxTries = 100;

/** System errors for an address that cannot be listened on: an unknown host name, or an address of another computer. */
const addressCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']);

export interface PortChoice {
  /** The address or name to listen on. */
  host: string;
  /** An explicitly requested port: busy is an error. 0 is any free port. */
  asked: number | undefined;
  /** Used if no port was requested; if busy, the next free one. */
  preferred: number;
  /** Whether a port may be used that wasn't requested; absent: any. */
  mayUse?: (port: number) => boolean;
  /** What the port is for and which option sets it, for the error: `HTTP` and `--http-port`. */
  purpose: string;
  option: string;
}

/**
 * Starts listening on the requested port, or on the first free one from the preferred port upwards.
 *
 * @throws {ServiceError} PORT_IN_USE naming port and option, UNAVAILABLE when this computer does not have the address
 */
export async function startOnPort<Started>(
  choice: PortChoice,
  start: (port: number) => Promise<Started>,
  platform: NodeJS.Platform = process.platform,
): Promise<Started> {
  const { host, asked, preferred, mayUse = () => true, purpose, option } = choice;
  const lastPort = asked ?? Math.min(preferred + maxTries, 65_535);
  for (let port = asked ?? preferred; ; port += 1) {
    if (asked === undefined && port < lastPort && !mayUse(port)) continue;
    try {
      await refuseTakenPort(host, port, platform);
      return await start(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && addressCodes.has(code)) throw addressError(error as NodeJS.ErrnoException);
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      if (port < lastPort) continue;
      const why = code === 'EACCES' ? 'needs permissions that you do not have' : 'is in use by another program';
      throw new ServiceError(
        'PORT_IN_USE',
        `The ${purpose} port ${port} ${why}. Choose another with ${option}, or 0 for any free port.`,
        {
          cause: error,
        },
      );
    }
  }
}

function addressError(error: NodeJS.ErrnoException & { address?: string; hostname?: string }): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `This computer has no address ${error.address ?? error.hostname}. Choose one of its addresses with --host, such as 127.0.0.1.`,
    { cause: error },
  );
}
