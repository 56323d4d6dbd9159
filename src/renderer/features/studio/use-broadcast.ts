import { type RefObject, useEffect, useRef, useState } from 'react';
import { isHeld } from '../../../shared/model/live.ts';
import { listFiles } from '../../../shared/model/source.ts';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/sent-from-here.ts';
import type { Failure } from '../../client/failure.ts';
import { findFirstFault } from '../../focus/first-fault.ts';
import { type Action, type GoneTold, useAction } from '../../hooks/use-action.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { isBroadcasting, mayHaveViewers } from '../../status/air-status.ts';
import { type Choice, type ChoiceFault, initialChoice } from './choice.ts';
import type { Press } from './meant-press.ts';
import { type Missing, toSource } from './source-draft.ts';
import { staysOnAir } from './stays-on-air.ts';
import { type EncodeChoosing, useEncodeChoice } from './use-encode-choice.ts';
import { usePresses } from './use-presses.ts';
import { useWhatIsOnAir } from './use-what-is-on-air.ts';

/** What the streamer can do with the broadcast, and the choices made for it. */
export interface Broadcast {
  choice: Choice;
  setChoice: (choice: Choice) => void;
  /** How it will be encoded. */
  encode: EncodeChoosing;
  /** The fault that keeps the choice from going live. */
  fault: ChoiceFault | undefined;
  /** Whether the choice has no sound, and nobody chose that (`Sound.isUnchosen`). */
  isSoundUnchosen: boolean;
  /** The fault found at Go live. */
  missing: Missing | undefined;
  /** The service's answer about a file, after Go live with one that doesn't exist. */
  fileFault: string | undefined;
  fileInput: RefObject<HTMLInputElement | null>;
  goLive: () => void;
  /** Whether a problem shown on the page keeps Go live from working. */
  isBlocked: boolean;
  start: Action<[]>;
  /** Stops, after asking if viewers would lose the broadcast. */
  stop: () => void;
  stopNow: Action<[]>;
  isAskingToStop: boolean;
  cancelStop: () => void;
  /** A refused request that no field explains. */
  refusal: RefusedRequest | undefined;
  reconnectNow: Action<[]>;
  /** Resumes a suspended stream. */
  resume: Action<[]>;
  /** Accepts the encoder again that has been refused since Stop. */
  letIn: Action<[]>;
  /** Dismisses the card of a lost broadcast. */
  dismissLost: Action<[sessionId: string]>;
}

/** A request that was refused, and how to try it again. */
export interface RefusedRequest {
  failure: Failure;
  again: () => void;
}

/** The broadcast's actions, for buttons and keyboard alike. */
export function useBroadcast(live: StreamLive, service: ServiceInfo): Broadcast {
  const { stream, oneClick } = live;
  const streamId = stream.id;
  const [choice, setChoiceState] = useKept(`choice ${streamId}`, JSON.stringify(live.lastChoice ?? null), () =>
    initialChoice(live, service.ffmpeg.kind === 'found'),
  );
  const parsed = toSource(choice.source);
  const source = choice.way === 'own' && 'source' in parsed ? parsed.source : undefined;
  const encode = useEncodeChoice(live, source, service.encoders?.used);
  const [missing, setMissing] = useState<Missing>();
  const [isAskingToStop, setAsking] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const isRunning = isBroadcasting(stream.air, oneClick);
  const hasViewers = mayHaveViewers(stream.air) && !staysOnAir(live);
  const presses = usePresses({ isRunning, hasViewers });
  useWhatIsOnAir(live, choice, setChoiceState);
  const isBlocked = stream.suspended === true || (service.ffmpeg.kind === 'missing' && choice.way !== 'encoder');
  const toasts = useToasts();
  const tellIfGone = (failed: string) => ({ ifGone: (): GoneTold => [stream.name, failed] });

  const start = useAction(async (client) => {
    const encodeChoice = encode.choice;
    if (source === undefined || encodeChoice === undefined) return;
    await client.broadcast.goLive({ streamId, source, encode: encodeChoice });
  }, tellIfGone("didn't go live"));
  const stopNow = useAction((client) => {
    presses.noteStop();
    setAsking(false);
    return client.broadcast.stop({ streamId });
  }, tellIfGone("wasn't stopped"));
  const reconnectNow = useAction((client) => client.broadcast.reconnectNow({ streamId }));
  const resume = useAction(
    (client) => client.stream.update({ streamId, changes: { suspended: false } }),
    tellIfGone("wasn't resumed"),
  );
  const letIn = useAction((client) => client.broadcast.letIn({ streamId }), tellIfGone("didn't let its encoder in"));
  const dismissLost = useAction((client, sessionId: string) => client.broadcast.dismissLost({ streamId, sessionId }));

  // A problem with a file of the picture that ffmpeg hasn't seen yet is shown at its field. Sounds have none.
  const refusedPath = start.failure?.path;
  const isOfPicture = source && refusedPath !== undefined && listFiles(source.picture.main).includes(refusedPath);
  const fileRefusal = isOfPicture ? start.failure : undefined;
  useEffect(() => {
    // While the broadcast starts, the set-up isn't shown.
    if (fileRefusal !== undefined && !isRunning) fileInput.current?.focus();
  }, [fileRefusal, isRunning]);

  // A broadcast that is on air or has ended leaves nothing to retry.
  useForgetting(start, isRunning);
  useForgetting(letIn, isRunning);
  useForgetting(stopNow, !isRunning);
  useEffect(() => {
    if (!isRunning) setAsking(false);
  }, [isRunning]);
  // Another page was faster: the stream goes live, as was asked here.
  useForgetting(start, start.failure?.code === 'ALREADY_LIVE' && isSentFromHere(oneClick) && oneClick.kind !== 'stopping');
  useForgetting(reconnectNow, oneClick.kind !== 'retrying');
  useForgetting(dismissLost, live.lost?.sessionId === undefined);
  useForgetting(resume, stream.suspended !== true);

  const goLive = () => {
    const press: Press = { what: 'go-live', atMs: performance.now() };
    if (isRunning || start.isPending || isBlocked || !presses.isMeant(press)) return;
    if (choice.way === 'encoder') {
      if (isHeld(live.hold)) void letIn.run();
      toasts.say('Start streaming in OBS. This page goes on air automatically.');
      return;
    }
    if ('fault' in parsed) return setMissing({ fault: parsed.fault });
    // The field says how to correct it.
    if (encode.choice === undefined) return findFirstFault(document.querySelector('main'))?.focus();
    presses.take(press);
    void start.run();
  };
  const stop = () => {
    const press: Press = { what: 'stop', atMs: performance.now() };
    if (!isRunning || stopNow.isPending || !presses.isMeant(press)) return;
    if (!isAskingToStop && hasViewers) return setAsking(true);
    // A second press confirms the dialog. Before viewers see anything, there is nothing to ask.
    if (!isAskingToStop) presses.take(press);
    void stopNow.run();
  };
  useShortcut({ key: 'Enter', withCommand: true }, goLive);
  useShortcut({ key: '.', withCommand: true, inDialogs: true }, stop);

  return {
    choice,
    encode,
    setChoice: (next) => {
      setChoiceState(next);
      setMissing(undefined);
      start.clear();
    },
    fault: choice.way === 'encoder' ? undefined : 'fault' in parsed ? parsed.fault : encode.choice ? undefined : 'bad-quality',
    isSoundUnchosen: source?.sound.isUnchosen === true,
    missing,
    fileFault: fileRefusal?.sentence,
    fileInput,
    goLive,
    isBlocked,
    start,
    stop,
    stopNow,
    isAskingToStop,
    cancelStop: () => setAsking(false),
    refusal:
      (fileRefusal === undefined && !isRunning ? asRefused(start.failure, goLive) : undefined) ??
      [stopNow, resume, letIn]
        .map((action) => asRefused(action.failure, () => void action.run()))
        .find((refused) => refused !== undefined) ??
      asRefused(live.lost && dismissLost.failure, () => void (live.lost && dismissLost.run(live.lost.sessionId))),
    reconnectNow,
    resume,
    letIn,
    dismissLost,
  };
}

function asRefused(failure: Failure | undefined, again: () => void): RefusedRequest | undefined {
  return failure && { failure, again };
}

/** Forgets why `action` failed when there is nothing left to try again. */
function useForgetting({ clear }: Pick<Action<[]>, 'clear'>, isSettled: boolean): void {
  useEffect(() => {
    if (isSettled) clear();
  }, [isSettled, clear]);
}
