import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isHeld } from '../../../shared/model/live.ts';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/one-click-failure.ts';
import type { Failure } from '../../client/failure.ts';
import { useToasts } from '../../components/toasts.tsx';
import { type Action, type GoneTold, useAction } from '../../hooks/use-action.ts';
import { useKept } from '../../hooks/use-kept.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import { useSameByContent } from '../../hooks/use-same-by-content.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import { isBroadcasting, mayHaveViewers } from '../../status/air-status.ts';
import { type Choice, type ChoiceFault, initialChoice, takeOver } from './choice.ts';
import { isMeant, type Press } from './meant-press.ts';
import { type Missing, toSource } from './source-draft.ts';
import { type EncodeChoosing, useEncodeChoice } from './use-encode-choice.ts';

/** What the streamer can do with the broadcast, and the choices made for it. */
export interface Broadcast {
  choice: Choice;
  setChoice: (choice: Choice) => void;
  /** How it will be encoded. */
  encode: EncodeChoosing;
  /** What keeps the choice from going live. */
  fault: ChoiceFault | undefined;
  /** What was missing at Go live. */
  missing: Missing | undefined;
  /** What the service said about a file, after Go live with one that doesn't exist. */
  fileFault: string | undefined;
  fileInput: RefObject<HTMLInputElement | null>;
  goLive: () => void;
  /** Whether a problem shown on the page keeps Go live from working. */
  isBlocked: boolean;
  start: Action<[]>;
  /** Stops, or asks first if there are viewers to lose. */
  stop: () => void;
  stopNow: Action<[]>;
  isAskingToStop: boolean;
  cancelStop: () => void;
  /** A refused request that no field explains. */
  refusal: Refused | undefined;
  reconnectNow: Action<[]>;
  /** Resumes a suspended stream. */
  resume: Action<[]>;
  /** Accepts an encoder again that has been refused since Stop. */
  letIn: Action<[]>;
  /** Dismisses the card of a lost broadcast. */
  dismissLost: Action<[sessionId: string]>;
}

/** A request that was refused, and how to try it again. */
export interface Refused {
  failure: Failure;
  again: () => void;
}

/** A broadcast that ends later than this after *Stop* didn't end by it. */
const stopTakesMs = 6_000;

/** The broadcast's actions, for buttons and keyboard alike. */
export function useBroadcast(live: StreamLive, service: ServiceInfo): Broadcast {
  const { stream, oneClick } = live;
  const streamId = stream.id;
  const [choice, setChoiceState] = useKept(`choice ${streamId}`, JSON.stringify(live.lastChoice ?? null), () =>
    initialChoice(live, service.ffmpeg.kind === 'found'),
  );
  const parsed = toSource(choice.source);
  const source = choice.way === 'own' && 'source' in parsed ? parsed.source : undefined;
  const encode = useEncodeChoice(live, source);
  const [missing, setMissing] = useState<Missing>();
  const [isAskingToStop, setAsking] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const lastPress = useRef<Press>(undefined);
  const isRunning = isBroadcasting(stream.air, oneClick);
  const stopAskedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const hadViewers = useRef(false);
  const hasViewers = mayHaveViewers(stream.air);
  useLayoutEffect(() => {
    if (hasViewers) hadViewers.current = true;
  }, [hasViewers]);
  useLayoutEffect(() => {
    if (!isRunning) return;
    return () => {
      const atMs = performance.now();
      // It ended by itself: a press just now is meant for the button that was there.
      if (hadViewers.current && atMs - stopAskedAtMs.current > stopTakesMs) lastPress.current = { what: 'stop', atMs };
      hadViewers.current = false;
    };
  }, [isRunning]);
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
    stopAskedAtMs.current = performance.now();
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

  // A problem with a file that ffmpeg hasn't seen yet is shown at its field.
  const isFile = source?.picture.main.kind === 'files' || source?.picture.main.kind === 'still';
  const fileRefusal = isFile && start.failure?.code === 'SOURCE_FAILED' ? start.failure : undefined;
  useEffect(() => {
    // While it starts, the set-up isn't there.
    if (fileRefusal !== undefined && !isRunning) fileInput.current?.focus();
  }, [fileRefusal, isRunning]);

  useEffect(() => {
    // Whoever went on air or ended it, there is nothing left to try again.
    if (isRunning) {
      start.clear();
      letIn.clear();
      return;
    }
    setAsking(false);
    stopNow.clear();
  }, [isRunning, start.clear, stopNow.clear, letIn.clear]);
  // Another page was faster: the stream goes live, as was asked here.
  const isTooLate = start.failure?.code === 'ALREADY_LIVE' && isSentFromHere(oneClick) && oneClick.kind !== 'stopping';
  useEffect(() => {
    if (isTooLate) start.clear();
  }, [isTooLate, start.clear]);
  const isRetrying = oneClick.kind === 'retrying';
  useEffect(() => {
    if (!isRetrying) reconnectNow.clear();
  }, [isRetrying, reconnectNow.clear]);
  const lostSessionId = live.lost?.sessionId;
  useEffect(() => {
    if (lostSessionId === undefined) dismissLost.clear();
  }, [lostSessionId, dismissLost.clear]);
  const isSuspended = stream.suspended === true;
  useEffect(() => {
    if (!isSuspended) resume.clear();
  }, [isSuspended, resume.clear]);

  const goLive = () => {
    const press: Press = { what: 'go-live', atMs: performance.now() };
    if (isRunning || start.isPending || isBlocked || !isMeant(press, lastPress.current)) return;
    if (choice.way === 'encoder') {
      if (isHeld(live.hold)) void letIn.run();
      toasts.say('Start streaming in OBS. This page goes on air automatically.');
      return;
    }
    if ('fault' in parsed) return setMissing({ fault: parsed.fault });
    // The field says how to be right.
    if (encode.choice === undefined) return void focusFault();
    lastPress.current = press;
    leaveButton();
    void start.run();
  };
  const stop = () => {
    const press: Press = { what: 'stop', atMs: performance.now() };
    if (!isRunning || stopNow.isPending || !isMeant(press, lastPress.current)) return;
    if (!isAskingToStop && hasViewers) return setAsking(true);
    // A second press confirms the dialog. Before viewers have anything, there is nothing to ask.
    if (!isAskingToStop) {
      lastPress.current = press;
      leaveButton();
    }
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

/**
 * The next broadcast begins with what this one ended with. Takes over the source of one click, whoever chose it; with an encoder on
 * air, and no source ever chosen, the choice is the encoder.
 */
function useWhatIsOnAir(
  { stream, oneClick, lastChoice }: StreamLive,
  choice: Choice,
  setChoice: (choice: Choice) => void,
): void {
  // What has failed is taken over again if it is tried again.
  const taken = useSameByContent(
    'source' in oneClick ? { hasFailed: oneClick.kind === 'failed', source: oneClick.source } : undefined,
  );
  // What failed before this page opened may have been replaced in the choice since.
  const failedBefore = useRef(oneClick.kind === 'failed' ? taken : undefined);
  const isOfEncoder = stream.air.kind === 'on-air' && oneClick.kind === 'idle' && lastChoice === undefined;
  const latest = useLatest({ choice, setChoice });
  useEffect(() => {
    const { choice, setChoice } = latest.current;
    const isOld = taken !== undefined && taken === failedBefore.current;
    if (!isOld) failedBefore.current = undefined;
    if (taken !== undefined && !isOld) setChoice(takeOver(choice, taken.source));
    else if (isOfEncoder) setChoice({ ...choice, way: 'encoder' });
  }, [taken, isOfEncoder, latest]);
}

/** Moves the focus to the first field that is wrong. */
function focusFault(): void {
  document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
}

/**
 * Stop and Go live take each other's place, so a second key press, or one that is held, must not undo the first. The set-up comes and
 * goes, too.
 */
function leaveButton(): void {
  if (document.activeElement?.closest('header, [aria-label="Set-up"]')) document.querySelector<HTMLElement>('main')?.focus();
}

function asRefused(failure: Failure | undefined, again: () => void): Refused | undefined {
  return failure && { failure, again };
}
