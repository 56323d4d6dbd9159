import { ORPCError, ValidationError } from '@orpc/server';
import { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import { describeError } from '../../shared/words/error-words.ts';
import { findViolations, violationError } from '../lib/violations.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';

/** An error as it crosses to the app's screens. Classes do not cross, so it carries code, status, sentence and details. */
export function toWireError(error: unknown, log: Logger): unknown {
  if (error instanceof ServiceError) {
    const { code, status, details } = error;
    return new ORPCError(code, { defined: true, status, message: describeError(error), data: details });
  }
  const mismatch = error instanceof ORPCError && error.cause instanceof ValidationError ? error.cause : undefined;
  if (error instanceof ORPCError) {
    if (mismatch === undefined) return error;
    // The answers and events of a call are checked against the contract, too.
    if (error.code === 'BAD_REQUEST') return toWireError(inputError(mismatch), log);
  }
  const storeFault = findStoreFault(error);
  if (storeFault !== undefined) {
    log.error({ err: error }, 'A call from the app failed because the store cannot be read.');
    return toWireError(storeFault, log);
  }
  log.error({ err: error, ...(mismatch && { issues: mismatch.issues }) }, 'A call from the app failed.');
  return new ORPCError('INTERNAL', {
    defined: true,
    status: 500,
    message: 'Something went wrong in Tallylight. See its log for the cause.',
  });
}

/** Input that does not match the contract is reported as the public interface reports it. */
function inputError({ issues, data }: ValidationError): ServiceError {
  return violationError('INVALID_INPUT', findViolations(new z.ZodError(issues as z.core.$ZodIssue[]), data));
}
