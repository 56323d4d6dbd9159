import { z } from 'zod';
import { Violation } from './model/violation.ts';

/**
 * Every error the service answers with: its HTTP status, and when it happens.
 *
 * `details` of an error is always `{ violations: Violation[] }` for INVALID_INPUT and CONFLICTING_INPUT,
 * `{ stderr: string[] }` for SOURCE_FAILED, and absent otherwise. `docs/errors.md` lists the same codes.
 */
export const errorTable = {
  MALFORMED_REQUEST: { status: 400, when: 'The request cannot be read: malformed JSON, nesting too deep, a bad query value.' },
  CONFLICTING_INPUT: { status: 400, when: 'Each value is allowed but together they make no sense: two profiles of one name.' },
  STREAM_ACTIVE: {
    status: 400,
    when: 'Profiles and recording cannot change from when an encoder connects until the broadcast ends.',
  },
  IS_SESSION: { status: 400, when: 'The id names a session, which cannot be changed.' },
  UNAUTHORIZED: { status: 401, when: 'No API key, or one that is unknown or revoked.' },
  FORBIDDEN: { status: 403, when: 'The page is not ours, or its session has ended.' },
  NOT_FOUND: { status: 404, when: 'Nothing has this id or path; an id of another user looks the same.' },
  OFF_AIR: { status: 404, when: 'The stream exists and is off air: there is nothing to play yet.' },
  METHOD_NOT_ALLOWED: { status: 405, when: 'The path exists but not with this method; `Allow` names those it has.' },
  ALREADY_LIVE: { status: 409, when: 'The stream is already live from this computer.' },
  BODY_TOO_LARGE: { status: 413, when: 'The body is over 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: 'The body is not application/json.' },
  INVALID_INPUT: { status: 422, when: 'A property is missing, unknown, of the wrong type or out of bounds.' },
  TOO_MANY_REQUESTS: { status: 429, when: 'The same request came too often; `Retry-After` says when to try again.' },
  INTERNAL: { status: 500, when: 'A fault of Tallylight; the log has the error id too.' },
  UNAVAILABLE: {
    status: 503,
    when: 'The service is starting, closing, or cannot write its store; or what a player waited for did not come.',
  },
  SOURCE_FAILED: { status: 422, when: 'The chosen source cannot be read or encoded; the message says why.' },
  FFMPEG_NOT_FOUND: { status: 503, when: 'No ffmpeg was found, which one-click Go live needs.' },
  PORT_IN_USE: { status: 503, when: 'A port that was asked for is taken by another program.' },
  DATA_FOLDER_IN_USE: { status: 503, when: 'Another Tallylight runs on the same data folder.' },
  KEYCHAIN_UNAVAILABLE: { status: 503, when: 'This computer has no keychain that can be used.' },
  MASTER_KEY_MISSING: {
    status: 503,
    when: 'The key that sealed the stream keys is not found, or its keychain does not answer.',
  },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof errorTable;

export const ErrorDetails = z.object({ violations: z.array(Violation).optional(), stderr: z.array(z.string()).optional() });
export type ErrorDetails = z.infer<typeof ErrorDetails>;

/** The body of every error answer of the public interface. */
export const ErrorBody = z
  .object({ errors: z.array(z.string()) })
  .meta({ id: 'Errors', description: 'What went wrong, a sentence each.' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A failure with a code of {@link errorTable}. The message is one sentence for a person: the thing, and how to mend it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options?: { details?: ErrorDetails; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options?.details;
  }

  /** The HTTP status that goes with the code. */
  get status(): number {
    return errorTable[this.code].status;
  }
}
