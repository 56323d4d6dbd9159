import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Writes a script that the system refuses to run until the test has finished, like a program for another processor: the file is open
 * for writing (ETXTBSY, execve(2)). Linux only.
 */
export function writeRefusedProgram(path: string, script = 'exit'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const file = openSync(path, 'r+');
  onTestFinished(() => closeSync(file));
  return path;
}
