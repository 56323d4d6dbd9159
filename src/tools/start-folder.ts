/** A script in package.json that takes paths. */
type Script = 'start' | 'serve' | 'tallylight';

/**
 * Goes to the folder in which its user started npm, where relative paths begin: npm runs scripts in Tallylight's own folder, also from a
 * folder below it and with `--prefix`, and tells that one as `INIT_CWD`. Stays if it can't be used, as that of another user.
 */
export function enterStartFolder(script: Script): void {
  const { INIT_CWD: folder, npm_lifecycle_event: runs } = process.env;
  // What another script of npm starts is told that one's folder.
  if (folder === undefined || runs !== script) return;
  try {
    process.chdir(folder);
  } catch {
    // Relative paths then begin in Tallylight's folder.
  }
}
