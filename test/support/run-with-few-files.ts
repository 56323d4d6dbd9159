import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a script in a Node that may open 64 files; returns the JSON that it prints. Not on Windows. */
export async function runWithFewFiles(script: URL, env = process.env): Promise<unknown> {
  const path = fileURLToPath(script);
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 64 && exec "$0" "$1"', process.execPath, path], { env });
  return JSON.parse(stdout);
}
