import { useCallback, useEffect, useState } from 'react';
import type { ContractClient } from '../client/connection.ts';
import { describeFailure, type Failure, unreachedCode } from '../client/failure.ts';
import { useStore } from '../store/store-context.tsx';
import { useGone } from './use-gone.ts';
import { useLatest } from './use-latest.ts';

/** Something the user asked the service to do, and its outcome. */
export interface Action<Input extends unknown[]> {
  isPending: boolean;
  failure: Failure | undefined;
  /**
   * Runs it; returns whether it succeeded and the user still is where it was asked for. A failure stays in `failure` until the next
   * run.
   */
  run(...input: Input): Promise<boolean>;
  clear(): void;
}

/**
 * An action over the contract; `perform` may use the call's answer.
 *
 * @param about what it is asked of, such as the stream that a dialog names: an answer that arrives once that is another, or the
 *   component is gone, changes nothing any more
 */
export function useAction<Input extends unknown[]>(
  perform: (client: ContractClient, ...input: Input) => Promise<void>,
  about?: string,
): Action<Input> {
  const { connection } = useStore();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const latest = useLatest(perform);
  const gone = useGone(about);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what another thing was asked is not shown for this one
  useEffect(() => {
    setPending(false);
    setFailure(undefined);
  }, [about]);
  const run = useCallback(
    async (...input: Input) => {
      const signal = gone();
      setPending(true);
      setFailure(undefined);
      try {
        await latest.current(connection.client, ...input);
        return !signal.aborted;
      } catch (error) {
        if (!signal.aborted) setFailure(describeFailure(error));
        return false;
      } finally {
        if (!signal.aborted) setPending(false);
      }
    },
    [connection, gone, latest],
  );
  // It can be reached again: what else is wrong, the next attempt tells.
  useEffect(
    () =>
      connection.onChange(() => {
        if (connection.state().kind !== 'open') return;
        setFailure((failure) => (failure?.code === unreachedCode ? undefined : failure));
      }),
    [connection],
  );
  const clear = useCallback(() => setFailure(undefined), []);
  return { isPending, failure, run, clear };
}
