import { ServiceError } from '../../shared/errors.ts';

/** How many ports after the preferred one are tried. */
const maxTries = 100;

/** What the system says of an address that it cannot listen on: a name that leads nowhere, or somebody else's address. */
const addressCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']);

export interface PortChoice {
  /** What was asked for on purpose: busy is an error. 0 is any free port. */
  asked: number | undefined;
  /** What is taken when nothing was asked for, or the next free one after it. */
  preferred: number;
  /** What the port is for and the option that sets it, for the error: `HTTP` and `--http-port`. */
  purpose: string;
  option: string;
}

/**
 * Starts something that listens, on the port asked for or else on the first free one from the preferred port on.
 *
 * @throws {ServiceError} PORT_IN_USE naming port and option, UNAVAILABLE where the address to listen on is none of this computer
 */
export async function startOnPort<Started>(choice: PortChoice, start: (port: number) => Promise<Started>): Promise<Started> {
  const { asked, preferred, purpose, option } = choice;
  const lastPort = asked ?? Math.min(preferred + maxTries, 65_535);
  for (let port = asked ?? preferred; ; port += 1) {
    try {
      return await start(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && addressCodes.has(code)) throw addressError(error as NodeJS.ErrnoException);
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      if (port < lastPort) continue;
      const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use by another program';
      throw new ServiceError(
        'PORT_IN_USE',
        `The ${purpose} port ${port} ${why}; choose another with ${option}, or 0 for any free one.`,
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
    `This computer has no address ${error.address ?? error.hostname}; choose one it has with --host, such as 127.0.0.1.`,
    { cause: error },
  );
}
