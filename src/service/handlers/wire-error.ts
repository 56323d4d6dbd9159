import { ORPCError, ValidationError } from '@orpc/server';
import { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import { formatViolations } from '../http/violations.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';

/** A failure as it crosses to the app's screens: code, status, sentence and details, since classes do not cross. */
export function toWireError(error: unknown, log: Logger): unknown {
  if (error instanceof ServiceError) {
    return new ORPCError(error.code, { defined: true, status: error.status, message: error.message, data: error.details });
  }
  if (error instanceof ORPCError) return error.cause instanceof ValidationError ? describeInput(error.cause) : error;
  const storeFault = findStoreFault(error);
  if (storeFault !== undefined) {
    log.error({ err: error }, 'A call of the app failed, since the store cannot be read.');
    return toWireError(storeFault, log);
  }
  log.error({ err: error }, 'a call of the app failed');
  return new ORPCError('INTERNAL', { defined: true, status: 500, message: 'Tallylight failed to do that; its log says why.' });
}

/** What does not fit the contract is told as the public interface tells it. */
function describeInput({ issues, data }: ValidationError) {
  const sentences = formatViolations(new z.ZodError(issues as z.core.$ZodIssue[]), data);
  return new ORPCError('INVALID_INPUT', { defined: true, status: 422, message: sentences.join('\n'), data: { sentences } });
}
