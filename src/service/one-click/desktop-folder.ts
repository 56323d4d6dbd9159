import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FileKind } from '../../shared/model/views.ts';

const names: Readonly<Record<FileKind, string>> = { video: 'VIDEOS', picture: 'PICTURES', sound: 'MUSIC' };

/**
 * The user's folder for files of a kind that a Linux desktop made and named in the user's language, like `~/Vidéos`. Undefined without
 * one, as on other systems: there, these folders have English names, whatever is displayed.
 *
 * @param read returns the text of a file, '' if it can't be read
 */
export async function findDesktopFolder(of: FileKind, read: (path: string) => Promise<string>): Promise<string | undefined> {
  const { XDG_CONFIG_HOME: config } = process.env;
  const path = join(config?.startsWith('/') ? config : join(homedir(), '.config'), 'user-dirs.dirs');
  const text = await read(path);
  // `XDG_VIDEOS_DIR="$HOME/Vidéos"`, or an absolute path; the home folder means that there is none (xdg-user-dirs).
  const [, home, rest = ''] = new RegExp(String.raw`^XDG_${names[of]}_DIR="(\$HOME)?/(.*)"`, 'm').exec(text) ?? [];
  return rest === '' ? undefined : resolve(home === undefined ? '/' : homedir(), rest.replaceAll(/\\(.)/g, '$1'));
}
