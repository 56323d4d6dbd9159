import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** Destination of a port that was transferred to a page: messages that arrive here are forwarded. */
export interface PortOutlet {
  message(data: unknown): void;
  close(): void;
}

/** Electron's `MessagePortMain`: one end of a channel, in this process until it is transferred to a page. */
export class MessagePortMain extends EventEmitter {
  #other: MessagePortMain | undefined;
  #outlet: PortOutlet | undefined;
  #queue: unknown[] = [];
  #started = false;

  /** Connects two ports as a channel; not part of Electron. */
  static join(one: MessagePortMain, two: MessagePortMain): void {
    one.#other = two;
    two.#other = one;
  }

  postMessage(message: unknown, transfer: Electron.MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new Error('The stand-in cannot send ports over a port');
    const other = this.#other;
    if (other !== undefined) other.#receive(structuredClone(message));
  }

  start(): void {
    this.#started = true;
    for (const data of this.#queue.splice(0)) this.#emitMessage(data);
  }

  /** Electron notifies only the other end. */
  close(): void {
    const other = this.#other;
    this.#other = undefined;
    if (other === undefined) return;
    other.#other = undefined;
    if (other.#outlet) other.#outlet.close();
    else setImmediate(() => other.emit('close'));
  }

  /** The page's end takes over from this one; not part of Electron. */
  handOver(outlet: PortOutlet): void {
    this.#outlet = outlet;
    for (const data of this.#queue.splice(0)) outlet.message(data);
  }

  #receive(data: unknown) {
    if (this.#outlet) this.#outlet.message(data);
    else if (this.#started) this.#emitMessage(data);
    else this.#queue.push(data);
  }

  #emitMessage(data: unknown) {
    setImmediate(() => this.emit('message', { data, ports: [] }));
  }
}

/** Electron's `MessageChannelMain`. */
export class MessageChannelMain {
  readonly port1: MessagePortMain = new MessagePortMain();
  readonly port2: MessagePortMain = new MessagePortMain();

  constructor() {
    MessagePortMain.join(this.port1, this.port2);
  }
}

MessageChannelMain satisfies new () => Electron.MessageChannelMain;
