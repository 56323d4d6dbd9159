import { z } from 'zod';
import { cursorPattern } from '../streams/stream-cursor.ts';

/** Most objects on one page of a list. */
const maxPageLength = 1000;

/** `1` or `true`, `0` or `false`; false if absent. */
const Flag = z
  .preprocess((value) => (typeof value === 'string' ? flagValues.get(value) : value), z.boolean('must be 1 or 0'))
  .default(false);

const flagValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** An integer in decimal digits. */
const Limit = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(`must be a whole number from 1 to ${maxPageLength}`).min(1).max(maxPageLength),
);

const Cursor = z
  .string('must be given once')
  .regex(cursorPattern, 'must come from a Link header')
  .optional()
  .describe('Where the page begins, from the `Link` header of the previous page.');

/** The query of GET /stream. */
export const StreamListQuery = z
  .object({
    limit: Limit.default(20).describe('Most items to return.'),
    cursor: Cursor,
    streamsonly: Flag.describe('1: only streams, no sessions. Cannot be combined with `sessionsonly`.'),
    sessionsonly: Flag.describe('1: only sessions. Cannot be combined with `streamsonly`.').meta({
      'x-notWith': 'streamsonly',
    }),
    active: Flag.describe('1: only active ones.'),
  })
  .refine(({ streamsonly, sessionsonly }) => !(streamsonly && sessionsonly), {
    message: 'cannot be combined with streamsonly',
    path: ['sessionsonly'],
  });

/** The query of session lists. Without a limit they return a full page. */
export const SessionListQuery = z.object({
  limit: Limit.default(maxPageLength).describe('Most items to return.'),
  cursor: Cursor,
  record: Flag.describe('1: only sessions whose `record` is true.'),
});

/** The query of GET /ingest. Only `false` lists all regions. */
export const IngestQuery = z.object({
  first: z.string('must be given once').optional().describe('`false`: the pairs of all regions, each with its `base`.'),
});
