import { ORPCError, ValidationError } from '@orpc/server';
import { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import { describeViolation } from '../../shared/words/violation-words.ts';
import { findViolations, violationError } from '../lib/violations.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';

/** A failure as it crosses to the app's screens: code, status, sentence and details, since classes do not cross. */
export function toWireError(error: unknown, log: Logger): unknown {
  if (error instanceof ServiceError) {
    const { code, status, details } = error;
    const message = details?.violations?.map(describeViolation).join('\n') ?? error.message;
    return new ORPCError(code, { defined: true, status, message, data: details });
  }
  if (error instanceof ORPCError)
    return error.cause instanceof ValidationError ? toWireError(inputError(error.cause), log) : error;
  const storeFault = findStoreFault(error);
  if (storeFault !== undefined) {
    log.error({ err: error }, 'A call of the app failed, since the store cannot be read.');
    return toWireError(storeFault, log);
  }
  log.error({ err: error }, 'a call of the app failed');
  return new ORPCError('INTERNAL', { defined: true, status: 500, message: 'Tallylight failed to do that; its log says why.' });
}

/** What does not fit the contract is told as the public interface tells it. */
function inputError({ issues, data }: ValidationError): ServiceError {
  return violationError('INVALID_INPUT', findViolations(new z.ZodError(issues as z.core.$ZodIssue[]), data));
}
