import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { IngestPair } from '../../shared/model/ingest-pair.ts';
import { parseRemoteBaseUrl } from '../../shared/model/remote-service.ts';
import { Stream } from '../../shared/model/stream.ts';
import { parseJson } from '../lib/parse-json.ts';
import { DamagedStore } from './store-damage.ts';

/** A row of a table, by the names of its columns. Integers are bigints. */
export type Row = Record<string, SQLInputValue>;

const jsonOf = (schema: z.ZodType) => z.string().refine((text) => schema.safeParse(parseJson(text)).success);

/**
 * The JSON columns that readers don't check, and the replacement for invalid text: a stream works without profiles, and a remote
 * service is asked for its pairs again. Choices, settings and kept records are checked whenever they are read.
 */
const trustedJson: Readonly<Record<string, z.ZodObject<Readonly<Record<string, z.ZodType<SQLInputValue>>>>>> = {
  stream: z.object({
    profiles: jsonOf(Stream.shape.profiles.unwrap()).nullable().catch(null),
    multistream: jsonOf(Stream.shape.multistream.unwrap()).nullable().catch(null),
  }),
  remote_service: z.object({ pairs: jsonOf(z.array(IngestPair)).catch('[]') }),
};

/** The last millisecond of a `Date` (ECMA-262, "Time Values and Time Range"); JavaScript's safe integers end just after it. */
const largest = 8_640_000_000_000_000n;

/** None of our numbers is negative. A wrong one becomes 0, not null: rows that were deleted, revoked or ended must stay so. */
const mendNumber = (value: SQLInputValue) => (typeof value === 'bigint' && (value < 0n || value > largest) ? 0n : value);

/**
 * A row of a damaged store, changed so that its readers can parse it; undefined if it is a remote service without its address.
 *
 * SQLite checks the structure of a page, not its content: on a damaged page, a column may have any value of its type.
 */
export function mendRow(table: string, row: Row): Row | undefined {
  const { base_url: url } = row;
  if (typeof url === 'string' && parseRemoteBaseUrl(url) !== url) return undefined;
  const numbered = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, mendNumber(value)]));
  return { ...numbered, ...trustedJson[table]?.parse(row) };
}

/**
 * Checks the JSON that readers don't check: SQLite's own check reads no text, so a store may have lost a sector without damage that
 * SQLite can find. Sessions repeat the text of their streams, so each text is checked once.
 *
 * @throws {DamagedStore}
 */
export function refuseBrokenJson(db: DatabaseSync): void {
  for (const [table, { shape }] of Object.entries(trustedJson)) {
    for (const [column, schema] of Object.entries(shape)) {
      const texts = db.prepare(`SELECT DISTINCT ${column} AS text FROM ${table}`).iterate();
      if (texts.some(({ text }) => schema.parse(text) !== text)) throw new DamagedStore(`malformed ${column} in ${table}`);
    }
  }
}
