import { app } from 'electron';

/** Chromium's feature that adds the sound of its other pages back to the system sound, after the sound of all its pages was taken out. */
const addsOtherPages = 'RestrictOwnAudioAddChromiumBack';

/**
 * Keeps the app's own sound, such as the monitor's, out of the system sound that it captures. By itself, the constraint `restrictOwnAudio`
 * takes out only the sound of the capturing page (Screen Capture, "restrictOwnAudio"), which is in another window than the monitor.
 *
 * Call it before the app is ready, which is when Chromium reads the disabled features.
 */
export function leaveOutOwnSound(): void {
  // A second value replaces the first.
  const given = app.commandLine.getSwitchValue('disable-features');
  app.commandLine.appendSwitch('disable-features', given === '' ? addsOtherPages : `${given},${addsOtherPages}`);
}
