import { useCallback, useEffect, useRef, useState } from 'react';
import type { ContractClient } from '../client/connection.ts';
import { describeFailure, type Failure } from '../client/failure.ts';
import { useStore } from '../store/store-context.tsx';

/** Something the user asked the service to do, and its outcome. */
export interface Action<Input extends unknown[]> {
  isPending: boolean;
  failure: Failure | undefined;
  /** Runs it; returns whether it succeeded. A failure stays in `failure` until the next run. */
  run(...input: Input): Promise<boolean>;
  clear(): void;
}

/** An action over the contract; `perform` may use the call's answer. */
export function useAction<Input extends unknown[]>(
  perform: (client: ContractClient, ...input: Input) => Promise<void>,
): Action<Input> {
  const { connection } = useStore();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(perform);
  useEffect(() => {
    latest.current = perform;
  });
  const run = useCallback(
    async (...input: Input) => {
      setPending(true);
      setFailure(undefined);
      try {
        await latest.current(connection.client, ...input);
        return true;
      } catch (error) {
        setFailure(describeFailure(error));
        return false;
      } finally {
        setPending(false);
      }
    },
    [connection],
  );
  const clear = useCallback(() => setFailure(undefined), []);
  return { isPending, failure, run, clear };
}
