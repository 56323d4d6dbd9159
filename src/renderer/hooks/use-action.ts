import { useCallback, useEffect, useState } from 'react';
import { isolateName } from '../../shared/isolate-name.ts';
import type { ContractClient } from '../client/connection.ts';
import { describeUnanswered, type Failure, readFailure, tellWhole, unreachedCode } from '../client/failure.ts';
import { useStore } from '../store/store-context.tsx';
import { useGone } from './use-gone.ts';
import { useLatest } from './use-latest.ts';
import { useToasts } from './use-toasts.ts';

/** Something the user asked the service to do, and its outcome. */
export interface Action<Input extends unknown[]> {
  isPending: boolean;
  failure: Failure | undefined;
  /**
   * Runs it; returns whether it succeeded while the user is still where they asked for it. A failure stays in `failure` until the next run.
   */
  run(...input: Input): Promise<boolean>;
  clear(): void;
}

/** What failed and how, as the two halves of a sentence: `['Sunday show', "wasn't deleted"]`. */
export type GoneTold = readonly [name: string, failed: string];

interface ActionOptions<Input extends unknown[]> {
  /**
   * Identifies the object of the action, such as a dialog's stream. A late answer, for another one or without the component, is ignored.
   */
  about?: string | undefined;
  /** The toast for a failure after that. Without it, such a failure isn't shown. */
  ifGone?: (...input: Input) => GoneTold;
  /**
   * The advice after a lost answer, where another run would create a second object: `Look for the stream before you create another.` The
   * failure says so, and stays when the service is back.
   */
  ifUnanswered?: string;
}

/** An action over the contract; `perform` may use the call's answer. */
export function useAction<Input extends unknown[]>(
  perform: (client: ContractClient, ...input: Input) => Promise<unknown>,
  { about, ifGone, ifUnanswered }: ActionOptions<NoInfer<Input>> = {},
): Action<Input> {
  const { connection } = useStore();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const toasts = useToasts();
  const latest = useLatest({ perform, ifGone, ifUnanswered, toasts });
  const gone = useGone(about);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object's request is not shown for this one
  useEffect(() => {
    setPending(false);
    setFailure(undefined);
  }, [about]);
  const run = useCallback(
    async (...input: Input) => {
      const signal = gone();
      const { perform, ifGone, ifUnanswered, toasts } = latest.current;
      const told = ifGone?.(...input);
      const isSent = connection.state().kind === 'open';
      setPending(true);
      setFailure(undefined);
      try {
        await perform(connection.client, ...input);
        return !signal.aborted;
      } catch (error) {
        const failure = readFailure(error);
        const unanswered = ifUnanswered && describeUnanswered(failure, { isSent, remedy: ifUnanswered });
        if (!signal.aborted) setFailure(unanswered || failure);
        else if (told !== undefined) toasts.warn(describeGone(told, failure));
        return false;
      } finally {
        if (!signal.aborted) setPending(false);
      }
    },
    [connection, gone, latest],
  );
  // The service can be reached again: the next attempt shows whether anything else is wrong.
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

function describeGone([name, failed]: GoneTold, failure: Failure): string {
  // Without an answer, nobody knows whether the request was carried out.
  return failure.code === unreachedCode
    ? `Lost contact with the service before it answered about ${isolateName(name)}. Check there to see what was done.`
    : `${isolateName(name)} ${failed}. ${tellWhole(failure)}`;
}
