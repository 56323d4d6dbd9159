import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { contract } from '../../shared/contract.ts';
import { contractPortMessage } from '../../shared/contract-port.ts';
import type { Connection } from './connection.ts';
import { openPortConnection } from './port-connection.ts';

/** A page whose preload hands over a port, and the main process at its other end. */
class Stage {
  readonly #page = new EventTarget() as Window;
  readonly connection: Connection = openPortConnection(this.#page);
  #beat = () => {};

  handOver(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const beats = new ReadableStream<{ now: number }>({
      start: (controller) => {
        this.#beat = () => controller.enqueue({ now: 7_000 });
      },
    });
    const os = implement(contract);
    const router = { service: { beat: os.service.beat.handler(() => beats.values()) } };
    new RPCHandler(router).upgrade(port2);
    port2.start();
    const message = Object.assign(new Event('message'), { source: this.#page, data: contractPortMessage, ports: [port1] });
    this.#page.dispatchEvent(message);
    return port2;
  }

  beat(): void {
    this.#beat();
  }

  get kind() {
    return this.connection.state().kind;
  }
}

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stage = new Stage();
});
afterEach(() => {
  stage.connection.close();
  vi.useRealTimers();
});

test('a hanging main process counts as lost, and is back on the same port when it resumes', async () => {
  stage.handOver();
  stage.beat();
  await soon(() => expect(stage.connection.clock.newestOffsetMs()).not.toBe(0));
  vi.advanceTimersByTime(4_600);
  expect(stage.kind).toBe('lost');
  stage.beat();
  await soon(() => expect(stage.kind).toBe('open'));
  vi.advanceTimersByTime(4_000);
  expect(stage.kind).toBe('open');
});

test('a closed port is a loss at once, and a new port replaces it', async () => {
  stage.handOver().close();
  await soon(() => expect(stage.kind).toBe('lost'));
  stage.handOver();
  expect(stage.kind).toBe('open');
});
