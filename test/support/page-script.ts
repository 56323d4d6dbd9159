import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** A script as a page can run it: without its types, if it has any. */
export async function readPageScript(url: URL): Promise<string> {
  const text = await readFile(url, 'utf8');
  return url.pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}
