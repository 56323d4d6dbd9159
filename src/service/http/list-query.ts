import { z } from 'zod';
import { cursorPattern } from '../streams/stream-cursor.ts';

/** How many objects one page of a list may hold. */
const maxPageLength = 1000;

/** `1` or `true`, `0` or `false`; absent is false. */
const Flag = z
  .preprocess((value) => (typeof value === 'string' ? flagValues.get(value) : value), z.boolean('must be 1 or 0'))
  .default(false);

const flagValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** A whole number in decimal digits. */
const Limit = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(`must be a whole number from 1 to ${maxPageLength}`).min(1).max(maxPageLength),
);

const Cursor = z
  .string('must be given once')
  .regex(cursorPattern, 'must be one that a Link header gave')
  .optional()
  .describe('Where the page begins: taken from the `Link` header of the page before.');

/** The query of GET /stream. */
export const StreamListQuery = z
  .object({
    limit: Limit.default(20).describe('How many at most.'),
    cursor: Cursor,
    streamsonly: Flag.describe('1: streams only, no sessions. Not together with `sessionsonly`.'),
    sessionsonly: Flag.describe('1: sessions only. Not together with `streamsonly`.').meta({ 'x-notWith': 'streamsonly' }),
    active: Flag.describe('1: only those that are active.'),
  })
  .refine(({ streamsonly, sessionsonly }) => !(streamsonly && sessionsonly), {
    message: 'cannot be asked for together with streamsonly',
    path: ['sessionsonly'],
  });

/** The query of lists of sessions, which without a limit are as long as a page may be. */
export const SessionListQuery = z.object({
  limit: Limit.default(maxPageLength).describe('How many at most.'),
  cursor: Cursor,
  record: Flag.describe('1: only those that were recorded.'),
});

/** The query of GET /ingest. Nothing but `false` lists all regions. */
export const IngestQuery = z.object({
  first: z.string('must be given once').optional().describe('`false`: the pairs of all regions, each with its `base`.'),
});
