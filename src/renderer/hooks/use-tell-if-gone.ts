import { describeFailure, unreachedCode } from '../client/failure.ts';
import { useToasts } from '../components/toasts.tsx';
import { useGone } from './use-gone.ts';

/**
 * Shows a toast when a call fails after its component has gone, or has moved on to something else. Nothing else would report it.
 *
 * @returns a function that runs `call` and throws what it throws; `failed` says what went wrong with the stream `name`, like
 *   `wasn't deleted`
 */
export function useTellIfGone(about?: string): (name: string, failed: string, call: () => Promise<unknown>) => Promise<void> {
  const toasts = useToasts();
  const gone = useGone(about);
  return async (name, failed, call) => {
    const signal = gone();
    try {
      await call();
    } catch (error) {
      const { code, sentence } = describeFailure(error);
      // Without an answer nobody knows whether it was done.
      const told =
        code === unreachedCode
          ? `Lost contact with the service before it answered about ${name}. See there what was done.`
          : `${name} ${failed}. ${sentence}`;
      if (signal.aborted) toasts.warn(told);
      throw error;
    }
  };
}
