import { homedir } from 'node:os';
import { join } from 'node:path';

/** What decides where data lives: the running system unless a test says otherwise. */
interface Surroundings {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  home: string;
}

/**
 * Where Tallylight keeps its data when nothing else is asked for, the same for every host and the command line.
 *
 * Linux: `$XDG_DATA_HOME/tallylight` (XDG Base Directory Specification; a relative value is ignored, as it says), macOS:
 * `~/Library/Application Support/Tallylight`, Windows: `%LOCALAPPDATA%\Tallylight`.
 */
export function defaultDataFolder(
  { platform, env, home }: Surroundings = { platform: process.platform, env: process.env, home: homedir() },
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Tallylight');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Tallylight');
  const dataHome = env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : join(home, '.local', 'share');
  return join(dataHome, 'tallylight');
}
