import { onEndSignals } from '../service/lib/end-signals.ts';
import { findFfmpeg } from '../service/media-tools/find-ffmpeg.ts';
import { describeMissingFfmpeg } from '../shared/words/ffmpeg-words.ts';
import { runBrowserHost } from './browser-host.ts';
import { buildIfStale } from './build-if-stale.ts';
import { runElectron } from './electron-host.ts';
import { exitWithReason } from './exit-with-reason.ts';
import { enterStartFolder } from './start-folder.ts';
import { canInstallPackages, installPackages } from './system-packages.ts';

/** Opens Tallylight as a desktop app or, if that is impossible, in a browser; returns the exit code. */
async function start(signal: AbortSignal): Promise<number> {
  await buildIfStale();
  enterStartFolder('start');
  await ensureFfmpeg();
  if (signal.aborted) return 0;
  const electron = await runElectron(signal);
  if (electron.kind === 'ended') return electron.exitCode;
  if (signal.aborted) return 0;
  console.log(`Tallylight opens in your browser instead of a window of its own: ${electron.reason}.`);
  return runBrowserHost(signal);
}

/** Makes sure that there is an ffmpeg. Without one only Go live fails, so a missing one is only reported. */
async function ensureFfmpeg() {
  const search = await findFfmpeg();
  if (search.kind === 'found') return;
  if (!process.env.TALLYLIGHT_FFMPEG && canInstallPackages() && installPackages(['ffmpeg'])) return;
  console.error(describeMissingFfmpeg(search.reason));
}

const ending = new AbortController();
onEndSignals(process, () => ending.abort());
process.exit(await start(ending.signal).catch(exitWithReason));
