import { join } from 'node:path';
import { multistream, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '../ports.ts';
import { openRotatingFile, type RotationBounds } from './rotating-file.ts';
import { openTerminalLines, type Terminal } from './terminal.ts';

/** How much is logged: a level, and all that are worse; `silent` is nothing. `debug` has each HTTP request and each RTMP command. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Five files of 10 MiB: days of a busy service, and little enough to send to someone. */
const defaultBounds: RotationBounds = { maxFileBytes: 10 * 1024 * 1024, maxFiles: 5 };

/** Property names whose values are secret, wherever they stand in the first levels of a logged object. */
const secretNames = [
  'streamKey',
  'apiKey',
  'secret',
  'token',
  'password',
  'masterKey',
  'authorization',
  'cookie',
  '["set-cookie"]',
];

/** A stream key's shape: four groups of four lowercase alphanumerics (Live Streaming Service Interface, `streamKey`). */
const streamKeyShape = /(?<![a-z0-9-])[a-z0-9]{4}(?:-[a-z0-9]{4}){3}(?![a-z0-9-])/g;

/** Credentials in a header's or a URL's shape. */
const bearerShape = /\bBearer\s+[\w.~+/=-]+/gi;
const tokenQueryShape = /([?&](?:token|key)=)[^&\s"\\]+/gi;

/** The service's log, and what closes its file: at the end of the process by itself. */
export interface OpenLog {
  log: Logger;
  close(): void;
}

/**
 * Opens the log: JSON lines in `<folder>/tallylight.log`, rotated, secrets struck out; and, where there is a terminal,
 * readable lines on it. Neither a slow disk nor a terminal that stands still holds up whoever logs.
 *
 * Secrets are struck out twice: properties by name, then anything in the shape of a stream key or credential in any text.
 *
 * @param terminal receives readable lines; undefined for none.
 */
export async function openLog({
  folder,
  level = 'info',
  terminal,
  bounds = defaultBounds,
}: {
  folder: string;
  level?: LogLevel;
  terminal?: Terminal | undefined;
  bounds?: RotationBounds;
}): Promise<OpenLog> {
  const file = openRotatingFile(join(folder, 'tallylight'), bounds);
  const sinks: { write(line: string): void }[] = [file];
  if (terminal) sinks.push(await prettyLines(terminal));
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: secretNames.flatMap((name) => {
          const dotted = name.startsWith('[') ? name : `.${name}`;
          return [name, `*${dotted}`, `*.*${dotted}`];
        }),
        censor: '[secret]',
      },
    },
    multistream(
      sinks.map((sink) => ({
        level: 'trace' as const,
        stream: { write: (line: string) => sink.write(strikeOutSecrets(line)) },
      })),
    ),
  );
  const close = () => {
    process.off('exit', close);
    file.close();
  };
  process.on('exit', close);
  return { log, close };
}

/** The text without anything in the shape of a stream key, bearer token, or token in a URL. */
export function strikeOutSecrets(text: string): string {
  return text
    .replace(streamKeyShape, '[secret]')
    .replace(bearerShape, 'Bearer [secret]')
    .replace(tokenQueryShape, '$1[secret]');
}

/** pino-pretty is loaded only where someone reads: it costs start-up time. */
async function prettyLines(terminal: Terminal) {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
  const write = openTerminalLines(terminal, (count) => {
    const what = count === 1 ? '1 line was not shown' : `${count} lines were not shown`;
    return format({ level: 40, time: Date.now(), msg: `${what}: the terminal stood still.` });
  });
  return { write: (line: string) => write(format(line)) };
}
