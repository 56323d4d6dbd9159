import { app } from 'electron';

/** Chromium's feature that adds to the sound of this computer what the browser's other pages play, after it has taken out all of them. */
const addsOtherPages = 'RestrictOwnAudioAddChromiumBack';

/**
 * Keeps what the app plays, such as the monitor, out of the sound of this computer that it captures. The constraint `restrictOwnAudio`
 * alone takes out what the capturing page plays (Screen Capture, "restrictOwnAudio"), and that is the page of another window.
 *
 * Call it before the app is ready: Chromium then reads which features are off.
 */
export function leaveOutOwnSound(): void {
  // A second value replaces the first.
  const given = app.commandLine.getSwitchValue('disable-features');
  app.commandLine.appendSwitch('disable-features', given === '' ? addsOtherPages : `${given},${addsOtherPages}`);
}
