import { powerMonitor } from 'electron';
import type { OnSleepSignal } from '../service/ports.ts';

/** The system's sleep signals, from Electron. Call it once the app is ready. */
export const onSleepSignal: OnSleepSignal = (listener) => {
  const suspend = () => listener('suspend');
  const resume = () => listener('resume');
  powerMonitor.on('suspend', suspend);
  powerMonitor.on('resume', resume);
  return () => {
    powerMonitor.off('suspend', suspend);
    powerMonitor.off('resume', resume);
  };
};
