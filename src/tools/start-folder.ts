/** A script in package.json that takes paths. */
type Script = 'start' | 'serve' | 'tallylight';

/**
 * Changes to the folder where the user started npm, so that relative paths begin there: npm runs scripts in Tallylight's own folder, even
 * from a folder below it and with `--prefix`, and passes the user's as `INIT_CWD`. Stays if that can't be used, like another user's folder.
 */
export function enterStartFolder(script: Script): void {
  const { INIT_CWD: folder, npm_lifecycle_event: runs } = process.env;
  // If another npm script started this one, `INIT_CWD` is that script's.
  if (folder === undefined || runs !== script) return;
  try {
    process.chdir(folder);
  } catch {
    // Relative paths then begin in Tallylight's folder.
  }
}
