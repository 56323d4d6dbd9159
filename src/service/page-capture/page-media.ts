import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type CaptureWish, capturePath, captureProtocol, ticketProtocol } from '../../shared/capture-message.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import type { TrackKind } from '../../shared/model/track-kind.ts';
import { putLast } from '../../shared/put-last.ts';
import { refuseUpgrade, serveUpgrades } from '../http/upgrades.ts';
import { watchSocket } from '../http/watch-socket.ts';
import type { Clock } from '../ports.ts';
import { explainAbsence } from './explain-absence.ts';
import type { PageCaptures } from './page-captures.ts';
import { PageSocket, type PictureListener, type PictureWish, type SoundListener } from './page-socket.ts';

/** How long a page may take from its ticket to its socket. */
const ticketMs = 30_000;
/** More than a service has captures. Beyond it, the oldest unused tickets are dropped. */
const maxTickets = 64;
/** The largest picture, 4K in I420, with its header. */
const maxMessageBytes = (3840 * 2160 * 3) / 2 + 64;
const socketBounds = { pingIntervalMs: 5_000, maxQueuedBytes: 1024 * 1024 };

/** Which tracks a page sends. */
interface Tracks {
  hasVideo: boolean;
  hasAudio: boolean;
}

interface Ticket extends Tracks {
  captureId: string;
  untilMs: number;
}

/** One capture: its listeners, and the socket that its media comes from. */
interface Capture {
  pictures: Map<PictureListener, PictureWish>;
  sounds: Set<SoundListener>;
  socket: PageSocket | undefined;
}

/**
 * The media of captures that pages make. A page gets a ticket over the contract, and with it a socket on the service's HTTP port. Its
 * media goes to all listeners of the capture, which are told while the page is away.
 */
export class PageMedia {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #orders: Pick<PageCaptures, 'find' | 'changes'>;
  readonly #tickets = new Map<string, Ticket>();
  readonly #captures = new Map<string, Capture>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Compressing raw pictures takes too long.
    perMessageDeflate: false,
    // Never echo the ticket that the page offers beside it.
    handleProtocols: (offered) => offered.has(captureProtocol) && captureProtocol,
  });

  /** @param orders the orders and states of the captures */
  constructor(clock: Pick<Clock, 'monotonicMs'>, orders: Pick<PageCaptures, 'find' | 'changes'>) {
    this.#clock = clock;
    this.#orders = orders;
    orders.changes.on(() => {
      for (const [captureId, capture] of this.#captures) this.#tellLost(captureId, capture);
    });
  }

  /** Checks that pictures and microphones' sound still arrive; call it every two seconds. */
  tick(): void {
    for (const { socket } of this.#captures.values()) socket?.look();
  }

  /** A ticket for one socket, within 30 s. */
  giveTicket(captureId: string, { hasVideo, hasAudio }: Tracks): string {
    const secret = randomBytes(32).toString('base64url');
    const untilMs = this.#clock.monotonicMs() + ticketMs;
    putLast(this.#tickets, secret, { captureId, hasVideo, hasAudio, untilMs }, maxTickets);
    return secret;
  }

  /** Takes sockets at `/capture` of `server`; returns a function that stops that and closes them all. */
  serve(server: Server): () => void {
    const endUpgrades = serveUpgrades(server, capturePath, (request, connection, head) =>
      this.#open(request, connection, head),
    );
    return () => {
      endUpgrades();
      for (const socket of this.#sockets.clients) socket.terminate();
    };
  }

  /** Passes on the pictures of a capture, in the largest size that a listener wants; returns the undo. */
  watchPictures(captureId: string, wish: PictureWish, listener: PictureListener): () => void {
    const capture = this.#get(captureId);
    capture.pictures.set(listener, wish);
    const fault = this.#faultOf(captureId, capture, 'video');
    if (fault !== undefined) listener.onLost(fault);
    capture.socket?.want(wishOf(capture));
    return () => {
      capture.pictures.delete(listener);
      this.#change(captureId, capture);
    };
  }

  /** Passes on the sound of a capture: s16le, 48 kHz, stereo; returns the undo. */
  watchSound(captureId: string, listener: SoundListener): () => void {
    const capture = this.#get(captureId);
    capture.sounds.add(listener);
    const fault = this.#faultOf(captureId, capture, 'audio');
    if (fault !== undefined) listener.onLost(fault);
    capture.socket?.want(wishOf(capture));
    return () => {
      capture.sounds.delete(listener);
      this.#change(captureId, capture);
    };
  }

  #get(captureId: string): Capture {
    const known = this.#captures.get(captureId);
    if (known !== undefined) return known;
    const made: Capture = { pictures: new Map(), sounds: new Set(), socket: undefined };
    this.#captures.set(captureId, made);
    return made;
  }

  #faultOf(captureId: string, { socket }: Capture, track: TrackKind): CaptureFault | undefined {
    return socket === undefined ? explainAbsence(this.#orders.find(captureId)) : socket.fault(track);
  }

  /** Tells a capture's listeners which of its tracks are away, and why. */
  #tellLost(captureId: string, capture: Capture): void {
    const [noPicture, noSound] = (['video', 'audio'] as const).map((track) => this.#faultOf(captureId, capture, track));
    if (noPicture) for (const listener of capture.pictures.keys()) listener.onLost(noPicture);
    if (noSound) for (const listener of capture.sounds) listener.onLost(noSound);
  }

  #change(captureId: string, capture: Capture): void {
    capture.socket?.want(wishOf(capture));
    const isUnused = capture.socket === undefined && capture.pictures.size === 0 && capture.sounds.size === 0;
    // A second leave may concern a capture that has been replaced.
    if (isUnused && this.#captures.get(captureId) === capture) this.#captures.delete(captureId);
  }

  #open(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const ticket = this.#takeTicket(request);
    if (ticket === undefined) {
      refuseUpgrade(connection, 403, 'Only a page of Tallylight that captures may connect here.');
      return;
    }
    const { captureId } = ticket;
    this.#sockets.handleUpgrade(request, connection, head, (socket) => {
      watchSocket(socket, socketBounds);
      const capture = this.#get(captureId);
      // The page was reloaded, and its old socket has not noticed.
      capture.socket?.close();
      const opened = new PageSocket({
        socket,
        tracks: ticket,
        isSoundSteady: this.#orders.find(captureId)?.order.of === 'microphone',
        pictures: () => capture.pictures.keys(),
        sounds: () => capture.sounds,
        explainEnd: () => explainAbsence(this.#orders.find(captureId), true),
        onClose: () => {
          if (capture.socket !== opened) return;
          capture.socket = undefined;
          this.#tellLost(captureId, capture);
          this.#change(captureId, capture);
        },
      });
      capture.socket = opened;
      opened.want(wishOf(capture));
      // The new socket may lack a track that the old one had.
      this.#tellLost(captureId, capture);
      opened.tellBack();
    });
  }

  #takeTicket({ headers }: IncomingMessage): Ticket | undefined {
    const offered = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? [];
    const secret = offered.find((protocol) => protocol.startsWith(ticketProtocol))?.slice(ticketProtocol.length) ?? '';
    const ticket = this.#tickets.get(secret);
    this.#tickets.delete(secret);
    return ticket !== undefined && ticket.untilMs > this.#clock.monotonicMs() ? ticket : undefined;
  }
}

/** The wishes of all listeners of a capture, combined. */
function wishOf({ pictures, sounds }: Capture): CaptureWish & { kind: 'want' } {
  const wishes = [...pictures.values()];
  const [first, ...others] = wishes;
  const largest = others.reduce(
    (most, wish) => (wish.width * wish.height > most.width * most.height ? wish : most),
    first ?? none,
  );
  const fps = Math.max(0, ...wishes.map((wish) => wish.fps));
  const { width, height } = largest;
  return { kind: 'want', ...(first !== undefined && { video: { width, height, fps } }), audio: sounds.size > 0 };
}

const none: PictureWish = { width: 0, height: 0, fps: 0 };
