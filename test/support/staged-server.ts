import type { Socket } from 'node:net';
import { ChunkReader } from '../../src/service/rtmp/chunk-reader.ts';
import { ChunkWriter } from '../../src/service/rtmp/chunk-writer.ts';
import { type Command, formatCommand, formatStatus, parseCommand } from '../../src/service/rtmp/commands.ts';
import { createServerHandshake } from '../../src/service/rtmp/handshake.ts';
import { messageType, type RtmpMessage } from '../../src/service/rtmp/messages.ts';
import { type OddServerOptions, startOddServer } from './odd-server.ts';

/** The steps of an ingest, in order: the server has done the step, or got the command of that name. */
const steps = ['accepted', 'shaken', 'connect', 'connected', 'publish', 'started', 'goodbye'] as const;
export type ServerStep = (typeof steps)[number];

export interface StagedServerOptions extends OddServerOptions {
  /** The last step that it does properly. After it, the server doesn't answer any more. */
  until: ServerStep;
  /** Called once on each connection, when it has done that step. */
  atLast: (socket: Socket) => void;
  /** Called at each step, before the server answers. */
  onStep?: (step: ServerStep) => void;
  /** Answers `releaseStream` and `FCPublish` with an error. */
  refusesOptional?: boolean;
  /** Whether it refuses a key now, without a description, like ingests that know only the status `NetStream.Publish.BadName`. */
  refusesKey?: () => boolean;
}

/** An RTMP ingest that stops at one step of a publisher's connection, without closing it. */
export function startStagedServer({
  until,
  atLast,
  onStep = () => {},
  refusesOptional = false,
  refusesKey = () => false,
  ...options
}: StagedServerOptions) {
  return startOddServer((socket) => serve(socket, { until, atLast, onStep, refusesOptional, refusesKey }), options);
}

function serve(
  socket: Socket,
  { until, atLast, onStep, refusesOptional, refusesKey }: Required<Omit<StagedServerOptions, keyof OddServerOptions>>,
): void {
  const writer = new ChunkWriter();
  const handshake = createServerHandshake();
  let isOpen = false;
  let isOver = false;
  const reach = (step: ServerStep) => {
    if (isOver) return;
    onStep(step);
    if (step !== until) return;
    isOver = true;
    atLast(socket);
  };
  const send = (message: RtmpMessage) => void socket.write(writer.format(3, message));
  const answer = ({ name, transactionId }: Command) => {
    switch (name) {
      case 'connect':
        reach('connect');
        if (isOver) return;
        send(formatCommand(0, '_result', transactionId, {}, { level: 'status', code: 'NetConnection.Connect.Success' }));
        reach('connected');
        return;
      case 'releaseStream':
      case 'FCPublish':
        if (refusesOptional)
          send(formatCommand(0, '_error', transactionId, null, { level: 'error', code: 'NetConnection.Call.Failed' }));
        return;
      case 'createStream':
        send(formatCommand(0, '_result', transactionId, null, 1));
        return;
      case 'publish':
        reach('publish');
        if (isOver) return;
        if (refusesKey()) {
          isOver = true;
          const status = formatStatus(1, { level: 'error', code: 'NetStream.Publish.BadName', description: '' });
          socket.end(writer.format(3, status));
          return;
        }
        send(formatStatus(1, { level: 'status', code: 'NetStream.Publish.Start', description: '' }));
        reach('started');
        return;
      case 'FCUnpublish':
        reach('goodbye');
        return;
    }
  };
  const bounds = { maxMessageBytes: 2 ** 24, maxChunkStreams: 64, maxPartialBytes: 2 ** 25 };
  const reader = new ChunkReader(bounds, (message) => {
    if (!isOver && message.typeId === messageType.commandAmf0) answer(parseCommand(message, 16));
  });
  reach('accepted');
  socket.on('data', (bytes: Buffer) => {
    if (isOver) return;
    let rest: Buffer | undefined = bytes;
    if (!isOpen) {
      const step = handshake.push(bytes);
      if (step.reply !== undefined) socket.write(step.reply);
      rest = step.rest;
      isOpen = rest !== undefined;
      if (isOpen) reach('shaken');
    }
    if (rest !== undefined && !isOver) reader.push(rest, Number.POSITIVE_INFINITY);
  });
}
