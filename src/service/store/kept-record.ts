import type { z } from 'zod';
import { parseJson } from '../lib/parse-json.ts';
import { openKeptValues } from './kept-values.ts';
import type { SettingTable } from './setting-table.ts';
import type { StoreWriter } from './store-writer.ts';

/** One value of the service itself, kept over restarts: readable at once, written as soon as the store accepts it. */
export interface KeptRecord<Value> {
  get(): Value;
  set(value: Value): void;
}

/** Opens the value that is stored under `name`; `initial` if there is none or another version wrote it. */
export function openKeptRecord<Schema extends z.ZodType>(
  { name, schema, initial }: { name: string; schema: Schema; initial: z.infer<Schema> },
  table: Pick<SettingTable, 'find' | 'set'>,
  writer: Pick<StoreWriter, 'add'>,
): KeptRecord<z.infer<Schema>> {
  const kept = openKeptValues<z.infer<Schema>>({
    name,
    stored: [[name, parse(schema, table.find(name)) ?? initial]],
    write: (_name, value) => table.set(name, JSON.stringify(value)),
    writer,
  });
  return { get: () => kept.find(name) ?? initial, set: (value) => kept.save(name, value) };
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string | undefined): z.infer<Schema> | undefined {
  return text === undefined ? undefined : schema.safeParse(parseJson(text)).data;
}
