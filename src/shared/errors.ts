import { z } from 'zod';
import { EncodeFailure } from './model/encode-failure.ts';
import { MissingFfmpeg } from './model/missing-ffmpeg.ts';
import { PathFault } from './model/path-fault.ts';
import { RemoteFailure } from './model/remote-failure.ts';
import { SecretsFault } from './model/secrets-fault.ts';
import { StartFault } from './model/start-fault.ts';
import { StoreProblem, UnopenedStore } from './model/store-fault.ts';
import { TlsFileFault } from './model/tls-file-fault.ts';
import { Violation } from './model/violation.ts';

/**
 * Every error the service answers with: its HTTP status, and when it happens.
 *
 * `details` is `{ violations: Violation[] }` for INVALID_INPUT and CONFLICTING_INPUT, `{ pathFault: PathFault }` for SOURCE_FAILED because
 * of a file and NOT_FOUND because of a folder, `{ encodeFailure: EncodeFailure }` for SOURCE_FAILED where ffmpeg found the fault,
 * `{ missingFfmpeg: MissingFfmpeg }` for FFMPEG_NOT_FOUND, `{ tlsFault: TlsFileFault }` for TLS_UNUSABLE,
 * `{ remoteFailure: RemoteFailure }` for REMOTE_FAILED, `{ secretsFault: SecretsFault }` for KEYCHAIN_UNAVAILABLE, MASTER_KEY_MISSING
 * and UNAVAILABLE because of a key file, `{ startFault: StartFault }` for PORT_IN_USE, DATA_FOLDER_IN_USE and UNAVAILABLE because of an
 * address or a data folder, `{ storeProblem: StoreProblem }` or `{ unopenedStore: UnopenedStore }` for UNAVAILABLE because of the store,
 * and absent otherwise. `docs/errors.md` lists the same codes.
 */
export const errorTable = {
  MALFORMED_REQUEST: {
    status: 400,
    when: 'The request cannot be read: malformed JSON, JSON that is nested too deeply, a bad query value, or no or several `Host` headers.',
  },
  CONFLICTING_INPUT: { status: 400, when: 'Each value is valid, but they conflict: two profiles with one name.' },
  STREAM_ACTIVE: {
    status: 400,
    when: 'Profiles and recording cannot change while an encoder is connected or a broadcast runs.',
  },
  IS_SESSION: { status: 400, when: 'The id names a session, which cannot be changed.' },
  UNAUTHORIZED: { status: 401, when: 'The API key is missing, unknown or revoked.' },
  TLS_REQUIRED: { status: 403, when: 'The request came unencrypted from another computer, and this service has HTTPS.' },
  FORBIDDEN: { status: 403, when: 'The page is not ours, or its session has ended.' },
  NOT_FOUND: { status: 404, when: 'Nothing has this id or path, or it belongs to another user.' },
  OFF_AIR: { status: 404, when: 'The stream exists but is off air, so there is nothing to play yet.' },
  METHOD_NOT_ALLOWED: { status: 405, when: 'The path does not support this method; `Allow` lists those it does.' },
  ALREADY_LIVE: { status: 409, when: 'This computer is sending the stream already, or is starting or stopping it.' },
  CHANGE_OVERTAKEN: { status: 409, when: 'Another change of the source came before this one was on air.' },
  REGION_NOT_OFFERED: { status: 409, when: 'This region is not offered to the broadcast, or no longer.' },
  SERVICE_IN_USE: { status: 409, when: 'A broadcast from this computer to the remote service is running.' },
  BODY_TOO_LARGE: { status: 413, when: 'The body is over 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The body is not application/json.' },
  INVALID_INPUT: { status: 422, when: 'A property is missing, unknown, of the wrong type or out of bounds.' },
  TOO_MANY_REQUESTS: { status: 429, when: 'The same request came too often; `Retry-After` says when to try again.' },
  INTERNAL: {
    status: 500,
    when: "A bug in Tallylight, or a segment that can't be read from the disk just now; the log has the cause, with the error id of the answer.",
  },
  REMOTE_FAILED: { status: 502, when: 'A remote service did not do what it was asked for; the message says why.' },
  UNAVAILABLE: {
    status: 503,
    when: 'The service is starting, closing or unable to write its store, or what a player waited for never came.',
  },
  SOURCE_FAILED: { status: 422, when: 'The chosen source cannot be read or encoded; the message says why.' },
  FFMPEG_NOT_FOUND: { status: 503, when: 'ffmpeg, which one-click Go live needs, was not found or does not work.' },
  PORT_IN_USE: { status: 503, when: 'A requested port is in use, or needs permissions.' },
  TLS_UNUSABLE: { status: 503, when: 'The certificate for HTTPS and RTMPS, or its key, cannot be used.' },
  DATA_FOLDER_IN_USE: { status: 503, when: 'Another Tallylight is using this data folder.' },
  KEYCHAIN_UNAVAILABLE: { status: 503, when: 'This computer has no usable keychain.' },
  MASTER_KEY_MISSING: {
    status: 503,
    when: 'The key that sealed the stream keys cannot be read, or cannot be moved to the chosen secret store.',
  },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof errorTable;

/** What an error has besides its sentence, for its code; see {@link errorTable}. */
export const ErrorDetails = z.object({
  violations: z.array(Violation).optional(),
  missingFfmpeg: MissingFfmpeg.optional(),
  tlsFault: TlsFileFault.optional(),
  pathFault: PathFault.optional(),
  encodeFailure: EncodeFailure.optional(),
  remoteFailure: RemoteFailure.optional(),
  secretsFault: SecretsFault.optional(),
  startFault: StartFault.optional(),
  storeProblem: StoreProblem.optional(),
  unopenedStore: UnopenedStore.optional(),
});
export type ErrorDetails = z.infer<typeof ErrorDetails>;

/** The body of every error answer of the public interface. */
export const ErrorBody = z
  .object({ errors: z.array(z.string()) })
  .meta({ id: 'Errors', description: 'What went wrong, one sentence per error.' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A failure with a code from {@link errorTable}. The message is one sentence for people: what is wrong and how to fix it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options?: { details?: ErrorDetails; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options?.details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}
