import { ServiceError } from '../../shared/errors.ts';
import type { ServiceNotice } from '../../shared/model/service-notice.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { openTlsFiles, type TlsFiles, type TlsFilesOptions } from './tls-files.ts';
import { readTlsPair, type TlsPaths, tlsError } from './tls-pair.ts';

/** The TLS in use, and what prevents using it. */
export interface OpenedTls {
  /** Undefined: there is no TLS. */
  files?: TlsFiles;
  notices: readonly ServiceNotice[];
}

type TlsSettings = Pick<Settings, 'tlsCertificatePath' | 'tlsKeyPath'>;

/**
 * The TLS files that the settings name; without any, there is no TLS.
 *
 * Saved ones that can't be used don't keep the service from starting: it runs without TLS, and a notice says so.
 *
 * @param isGiven the host was given the files at its start, so it must not start without TLS
 * @throws {ServiceError} TLS_UNUSABLE, only if `isGiven`
 */
export async function openTls(
  settings: TlsSettings,
  { isGiven, ...options }: TlsFilesOptions & { isGiven: boolean },
): Promise<OpenedTls> {
  try {
    const paths = findTlsPaths(settings);
    return { ...(paths && { files: await openTlsFiles(paths, options) }), notices: [] };
  } catch (error) {
    const fault = error instanceof ServiceError ? error.details?.tlsFault : undefined;
    if (isGiven || fault === undefined) throw error;
    options.log.warn({ fault }, 'The TLS files in Settings cannot be used. There is no HTTPS and no RTMPS.');
    return { notices: [{ code: 'tls-unusable', fault }] };
  }
}

/** Checks that TLS files can be used before they are saved. @throws {ServiceError} TLS_UNUSABLE */
export async function checkTlsSettings(settings: TlsSettings): Promise<void> {
  const paths = findTlsPaths(settings);
  if (paths) await readTlsPair(paths);
}

/** @throws {ServiceError} TLS_UNUSABLE if only one of the two is set */
function findTlsPaths({ tlsCertificatePath, tlsKeyPath }: TlsSettings): TlsPaths | undefined {
  if (!tlsCertificatePath && !tlsKeyPath) return undefined;
  if (!tlsCertificatePath) throw tlsError({ code: 'not-set', file: 'certificate' });
  if (!tlsKeyPath) throw tlsError({ code: 'not-set', file: 'key' });
  return { certificatePath: tlsCertificatePath, keyPath: tlsKeyPath };
}
