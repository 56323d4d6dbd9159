import { powerMonitor } from 'electron';
import type { OnSleepSignal } from '../service/ports.ts';

/** What Electron hears from the system about sleep. Call it once the app is ready. */
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
