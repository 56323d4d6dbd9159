import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import type { Failure } from '../../client/failure.ts';
import { type Action, useAction } from '../../hooks/use-action.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import { isBroadcasting } from '../../status/air-status.ts';
import { type Choice, initialChoice, isFedByAnother, toSource } from './sources.ts';

/** What the streamer can do with the broadcast, and what was chosen for it. */
export interface Broadcast {
  choice: Choice;
  setChoice: (choice: Choice) => void;
  /** How to be right about the file, after Go live was pressed without one, or with one that is not there. */
  fileFault: string | undefined;
  fileInput: RefObject<HTMLInputElement | null>;
  goLive: () => void;
  /** Whether something that is said on the page keeps Go live from working. */
  isBlocked: boolean;
  start: Action<[]>;
  /** Stops, or asks first when another program feeds the broadcast. */
  stop: () => void;
  stopNow: Action<[]>;
  isAskingToStop: boolean;
  cancelStop: () => void;
  /** What was asked for and refused, and is not said at a field. */
  refusal: Failure | undefined;
  reconnectNow: Action<[]>;
  /** Lets a suspended stream accept encoders again. */
  resume: Action<[]>;
}

/** The broadcast's actions, bound to the buttons and the keyboard alike. */
export function useBroadcast(live: StreamLive, service: ServiceInfo): Broadcast {
  const { stream, oneClick } = live;
  const streamId = stream.id;
  const [choice, setChoiceState] = useState(() => initialChoice(oneClick));
  const [fileFault, setFileFault] = useState<string>();
  const [isAskingToStop, setAsking] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const isRunning = isBroadcasting(stream.air, oneClick);
  const isBlocked = stream.suspended === true || service.ffmpeg.kind === 'missing';

  const start = useAction(async (client) => {
    const source = toSource(choice);
    if (source !== undefined) await client.broadcast.goLive({ streamId, source, quality: choice.quality });
  });
  const stopNow = useAction(async (client) => {
    setAsking(false);
    await client.broadcast.stop({ streamId });
  });
  const reconnectNow = useAction(async (client) => void (await client.broadcast.reconnectNow({ streamId })));
  const resume = useAction(async (client) => void (await client.stream.update({ streamId, changes: { suspended: false } })));

  // What is wrong with a file before ffmpeg has seen it is said at its field.
  const fileRefusal = choice.kind === 'file' && start.failure?.code === 'SOURCE_FAILED' ? start.failure : undefined;
  useEffect(() => {
    if (fileRefusal !== undefined) fileInput.current?.focus();
  }, [fileRefusal]);

  const goLive = () => {
    if (isRunning || start.isPending || isBlocked) return;
    if (toSource(choice) === undefined) {
      setFileFault('Choose a file, or type its path.');
      fileInput.current?.focus();
      return;
    }
    void start.run();
  };
  const stop = () => {
    if (!isRunning || stopNow.isPending) return;
    if (isFedByAnother(live)) setAsking(true);
    else void stopNow.run();
  };
  useShortcut({ key: 'Enter', withCommand: true }, goLive);
  useShortcut({ key: '.', withCommand: true }, stop);

  return {
    choice,
    setChoice: (next) => {
      setChoiceState(next);
      setFileFault(undefined);
      start.clear();
    },
    fileFault: fileFault ?? fileRefusal?.sentence,
    fileInput,
    goLive,
    isBlocked,
    start,
    stop,
    stopNow,
    isAskingToStop,
    cancelStop: () => setAsking(false),
    refusal:
      (fileRefusal === undefined ? start.failure : undefined) ?? stopNow.failure ?? reconnectNow.failure ?? resume.failure,
    reconnectNow,
    resume,
  };
}
