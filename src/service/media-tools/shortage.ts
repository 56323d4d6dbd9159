import type { Shortage } from '../../shared/model/shortage.ts';
import { codeOf } from '../lib/read-error.ts';

const shortages = new Map<string | undefined, Shortage>([
  ['EAGAIN', 'processes'],
  ['EMFILE', 'own-files'],
  ['ENFILE', 'files'],
  ['ENOMEM', 'memory'],
]);

/** What the system lacked when it couldn't start a program, from its error; undefined if that was another reason. */
export function findShortage(error: unknown): Shortage | undefined {
  return shortages.get(codeOf(error));
}

/**
 * What the system lacked when an ffmpeg couldn't start its threads, from its log. Each part of ffmpeg has a thread from version 7 on, and
 * threads count as processes where those are limited.
 */
export function findThreadShortage(log: readonly string[]): { shortage?: Shortage } {
  return log.some((line) => line.includes('pthread_create() failed')) ? { shortage: 'processes' } : {};
}
