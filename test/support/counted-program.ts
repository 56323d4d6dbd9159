import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A shell script that records the arguments of each run, then does `script`. */
export interface CountedProgram {
  path: string;
  /** The arguments of each run, a line each; they are in the file `<path>-runs`. */
  readRuns(): Promise<string>;
  countRuns(): Promise<number>;
}

/** Writes one, and the folder that it is in. */
export async function writeCountedProgram(path: string, script: string): Promise<CountedProgram> {
  const runs = `${path}-runs`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(runs, '');
  await writeFile(path, `#!/bin/sh\necho "$*" >> '${runs}'\n${script}\n`, { mode: 0o755 });
  const readRuns = () => readFile(runs, 'utf8');
  return { path, readRuns, countRuns: async () => (await readRuns()).split('\n').length - 1 };
}
