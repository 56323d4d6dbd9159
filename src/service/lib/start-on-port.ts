import { ServiceError } from '../../shared/errors.ts';

/** How many ports after the preferred one are tried. */
const maxTries = 100;

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
 * @throws {ServiceError} PORT_IN_USE naming port and option
 */
export async function startOnPort<Started>(choice: PortChoice, start: (port: number) => Promise<Started>): Promise<Started> {
  const { asked, preferred, purpose, option } = choice;
  const lastPort = asked ?? Math.min(preferred + maxTries, 65_535);
  for (let port = asked ?? preferred; ; port += 1) {
    try {
      return await start(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
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
