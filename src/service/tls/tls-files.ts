import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import type { ServiceNotice } from '../../shared/model/service-notice.ts';
import type { TlsFileFault } from '../../shared/model/tls-file-fault.ts';
import { createEventSource } from '../lib/event-source.ts';
import { runHarmlessly } from '../lib/faults.ts';
import type { Clock, Logger } from '../ports.ts';
import { readTlsPair, type TlsPair, type TlsPaths, tlsError } from './tls-pair.ts';

/** How often the files are read again. They are small, and names may be symbolic links whose changes no watch reports. */
const defaultCheckMs = 10_000;

/** The certificate and key in use, kept as new as their files. */
export interface TlsFiles {
  readonly paths: TlsPaths;
  readonly pair: TlsPair;
  /** Notices that renewed files can't be used, or that the certificate in use has expired. */
  readonly notices: ServiceNotice[];
  /** Called with each renewed pair, once it is found usable. */
  onRenewed(listener: (pair: TlsPair) => void): () => void;
  /** Called when `notices` or `pair` has changed. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface TlsFilesOptions {
  clock: Pick<Clock, 'now'>;
  log: Logger;
  checkMs?: number | undefined;
}

/**
 * Reads a certificate and its key, and follows their files.
 *
 * Renewed files are ignored until they can be used together, since the two are rarely written at once. An expired certificate, as from a
 * backup, is ignored while the one in use hasn't expired.
 *
 * @throws {ServiceError} TLS_UNUSABLE
 */
export async function openTlsFiles(
  paths: TlsPaths,
  { clock, log, checkMs = defaultCheckMs }: TlsFilesOptions,
): Promise<TlsFiles> {
  const renewed = createEventSource<TlsPair>();
  const changed = createEventSource<void>();
  let pair = await readTlsPair(paths);
  let fault: TlsFileFault | undefined;
  let wasExpired = false;
  let checking: Promise<void> | undefined;

  const isExpired = ({ expiresAt }: TlsPair) => clock.now() > expiresAt;
  const noteExpiry = () => {
    if (isExpired(pair) === wasExpired) return;
    wasExpired = isExpired(pair);
    if (wasExpired) log.warn({ path: paths.certificatePath }, 'The TLS certificate has expired.');
    changed.emit();
  };
  const noteFault = (found: TlsFileFault | undefined) => {
    if (isDeepStrictEqual(found, fault)) return;
    fault = found;
    if (found) log.warn({ fault: found }, 'Renewed TLS files cannot be used. The earlier ones stay in use.');
    changed.emit();
  };
  const check = async () => {
    try {
      const read = await readTlsPair(paths);
      if (isExpired(read) && !isExpired(pair)) {
        throw tlsError({ code: 'expired', path: paths.certificatePath, expiredAt: read.expiresAt });
      }
      if (!isSamePair(read, pair)) {
        pair = read;
        log.info({ expiresAt: new Date(pair.expiresAt).toISOString() }, 'Renewed TLS files are in use.');
        fault = undefined;
        renewed.emit(pair);
        changed.emit();
      }
      noteFault(undefined);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.details?.tlsFault === undefined) throw error;
      noteFault(error.details.tlsFault);
    }
    noteExpiry();
  };
  noteExpiry();
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    runHarmlessly(() => checking, 'reading the TLS files');
  }, checkMs).unref();

  return {
    paths,
    get pair() {
      return pair;
    },
    get notices(): ServiceNotice[] {
      return [
        ...(fault ? [{ code: 'tls-not-renewed', fault } as const] : []),
        ...(isExpired(pair) ? [{ code: 'tls-expired', path: paths.certificatePath, expiredAt: pair.expiresAt } as const] : []),
      ];
    },
    onRenewed: renewed.on,
    onChange: changed.on,
    async close() {
      clearInterval(timer);
      await checking?.catch(() => {});
    },
  };
}

function isSamePair(one: TlsPair, other: TlsPair): boolean {
  return one.certificate.equals(other.certificate) && one.key.equals(other.key);
}
