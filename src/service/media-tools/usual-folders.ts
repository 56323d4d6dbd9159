import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folders in which winget and Homebrew put ffmpeg, in the order to look: this process may not have them on its PATH.
 *
 * winget adds its folder to the user's PATH, which running processes never see. It links ffmpeg there if it may create links; if not, it
 * adds the package's own folder. Apps that are started from the Finder don't have Homebrew's folder on PATH: it is set in the shell's profile.
 */
export function listUsualFolders(platform: NodeJS.Platform, env: Record<string, string | undefined>): string[] {
  if (platform === 'darwin') return ['/opt/homebrew/bin', '/usr/local/bin'];
  if (platform !== 'win32') return [];
  // Installed for this user, and for all users.
  const roots = [
    ...(env.LOCALAPPDATA ? [join(env.LOCALAPPDATA, 'Microsoft', 'WinGet')] : []),
    ...(env.ProgramFiles ? [join(env.ProgramFiles, 'WinGet')] : []),
  ];
  return roots.flatMap((root) => [
    join(root, 'Links'),
    ...globSync('Packages/Gyan.FFmpeg_*/*/bin', { cwd: root }).map((folder) => join(root, folder)),
  ]);
}
