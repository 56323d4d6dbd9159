import { describeFailure } from '../client/failure.ts';
import { useToasts } from '../components/toasts.tsx';
import { useGone } from './use-gone.ts';

/**
 * Runs calls whose failure is told in a toast if the component is gone by then, or is about something else: nothing else would tell it.
 *
 * @returns runs `call`, and throws what it throws; `sentence` says what did not happen, without its reason
 */
export function useTellIfGone(about?: string): (sentence: string, call: () => Promise<unknown>) => Promise<void> {
  const toasts = useToasts();
  const gone = useGone(about);
  return async (sentence, call) => {
    const signal = gone();
    try {
      await call();
    } catch (error) {
      if (signal.aborted) toasts.warn(`${sentence} ${describeFailure(error).sentence}`);
      throw error;
    }
  };
}
