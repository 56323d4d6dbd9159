import { join } from 'node:path';
import { multistream, pino, stdTimeFunctions } from 'pino';
import type { Logger } from '../ports.ts';
import { openRotatingFile, type RotationBounds } from './rotating-file.ts';
import { openTerminalLines, type TerminalStream } from './terminal.ts';

/** Log levels: each includes the ones after it; `silent` logs nothing. `debug` has every HTTP request and RTMP command. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** @throws {Error} when it is none of {@link logLevels}; nothing set is `info` */
export function parseLogLevel(value: string | undefined): LogLevel {
  if (value === undefined || value === '') return 'info';
  const level = logLevels.find((known) => known === value);
  if (level === undefined) throw new Error(`The log level “${value}” doesn't exist. Use one of ${logLevels.join(', ')}.`);
  return level;
}

/** Five files of 10 MiB: days of a busy service, and small enough to send to someone. */
const defaultBounds: RotationBounds = { maxFileBytes: 10 * 1024 * 1024, maxFiles: 5 };

/** Properties with secret values, redacted in the first levels of a logged object. */
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

/** The pattern of a stream key: four groups of four lowercase alphanumerics (Live Streaming Service Interface, `streamKey`). */
const streamKeyShape = /(?<![a-z0-9-])[a-z0-9]{4}(?:-[a-z0-9]{4}){3}(?![a-z0-9-])/g;

/** Credentials in a header or URL. */
const bearerShape = /\bBearer\s+[\w.~+/=-]+/gi;
const tokenQueryShape = /([?&](?:token|key)=)[^&\s"\\]+/gi;

/** The service's log, and a function that closes its file. The file also closes when the process exits. */
export interface OpenLog {
  log: Logger;
  close(): void;
}

/**
 * Opens the log: JSON lines in `<folder>/tallylight.log`, rotated, with secrets redacted, and readable lines on the terminal if there
 * is one. Neither a slow disk nor a paused terminal blocks the caller.
 *
 * Redacts twice: secret properties by name, then anything that looks like a stream key or credential in any text.
 *
 * @param terminal gets readable lines; undefined for none
 */
export async function openLog({
  folder,
  level = 'info',
  terminal,
  bounds = defaultBounds,
}: {
  folder: string;
  level?: LogLevel;
  terminal?: TerminalStream | undefined;
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
        stream: { write: (line: string) => sink.write(strikeOutOfJson(line)) },
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

/** Replaces everything in the text that looks like a stream key, a bearer token or a token in a URL. */
export function strikeOutSecrets(text: string): string {
  return text
    .replace(streamKeyShape, '[secret]')
    .replace(bearerShape, 'Bearer [secret]')
    .replace(tokenQueryShape, '$1[secret]');
}

/** A string of JSON (RFC 8259 §7). */
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** {@link strikeOutSecrets} of each string in a line of JSON, unescaped first: the `n` of `\n` would count as part of the word after it. */
function strikeOutOfJson(line: string): string {
  return line.replace(jsonString, (quoted) =>
    quoted.includes('\\') ? JSON.stringify(strikeOutSecrets(JSON.parse(quoted))) : strikeOutSecrets(quoted),
  );
}

/** Loads pino-pretty only if there is a terminal, since it slows down startup. */
async function prettyLines(terminal: TerminalStream) {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
  const write = openTerminalLines(terminal, (count) => {
    const what = count === 1 ? '1 line was not shown' : `${count} lines were not shown`;
    return format({ level: 40, time: Date.now(), msg: `${what} because the terminal was paused.` });
  });
  return { write: (line: string) => write(format(line)) };
}
