import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The bytes that this process is reading or making now, by path. */
const making = new Map<string, Promise<Buffer>>();

/**
 * Bytes that depend on `key` alone, made once per test run: the first worker that asks leaves them in the run's folder for all.
 * Each caller gets its own copy.
 */
export async function makeOnce(key: readonly (string | Buffer)[], make: () => Promise<Buffer>): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const part of key) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  const folder = join(tmpdir(), 'made-once');
  const path = join(folder, hash.digest('hex'));
  const readOrMake = async () => {
    const made = await readFile(path).catch(() => undefined);
    if (made !== undefined) return made;
    const bytes = await make();
    await mkdir(folder, { recursive: true });
    // Other workers read it only when it is complete; if two made it, theirs are the same.
    const draft = `${path}-${process.pid}`;
    await writeFile(draft, bytes);
    await rename(draft, path);
    return bytes;
  };
  const bytes = making.get(path) ?? readOrMake().finally(() => making.delete(path));
  making.set(path, bytes);
  return Buffer.from(await bytes);
}
