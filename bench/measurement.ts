import { loadavg } from 'node:os';

/** A number of the result, and how it is shown. */
export interface Column {
  name: string;
  /** `%` of one core, MiB, ms, requests per second; '' for words. */
  unit: string;
}

/** The result of one measurement: rows under columns, the same in the table and the JSON. */
export interface Measurement {
  title: string;
  columns: readonly Column[];
  rows: readonly (readonly (string | number)[])[];
  /** Notes needed to read the numbers, a sentence each. */
  notes: readonly string[];
}

/** The value that `percent` of them do not exceed. @throws {RangeError} when there is none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)];
  if (value === undefined) throw new RangeError('Nothing was measured.');
  return value;
}

/** The load average of the last minute. It includes both the measured programs and everything else on the machine. */
export function describeLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** The median. @throws {RangeError} when there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) throw new RangeError('Nothing was measured.');
  return value;
}

/** Formats a measurement as a text table. */
export function formatMeasurement({ title, columns, rows, notes }: Measurement): string {
  const head = columns.map(({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`));
  const body = rows.map((row) => row.map(formatCell));
  const widths = head.map((text, index) => Math.max(text.length, ...body.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((text, index) => (index === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[index] ?? 0))).join('  ');
  return ['', title, line(head), ...body.map(line), ...notes.map((note) => `  ${note}`)].join('\n');
}

function formatCell(value: string | number): string {
  if (typeof value === 'string') return value;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
