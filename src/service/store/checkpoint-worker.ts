import { parentPort, workerData } from 'node:worker_threads';
import { type Checkpointer, openCheckpointer } from './checkpointer.ts';

/** The data that the thread is started with. */
export interface CheckpointWorkerData {
  file: string;
  /** One 32-bit word: 1 while nobody else may begin a transaction. */
  pause: SharedArrayBuffer;
}

/** The orders to the thread. `erase` is a checkpoint that also shortens the log. */
export type CheckpointOrder = 'checkpoint' | 'erase' | 'close';
/** The thread's answer when an order is done or has failed. `isPartial`: another program that uses the store prevented the rest. */
export type CheckpointAnswer = { done: CheckpointOrder; isPartial: boolean; error?: unknown };

const { file, pause } = workerData as CheckpointWorkerData;
const word = new Int32Array(pause);
let checkpointer: Checkpointer | undefined;

/** Returns whether it is done completely. */
const obey = (order: CheckpointOrder): boolean => {
  if (order === 'close') {
    checkpointer?.close();
    return true;
  }
  checkpointer ??= openCheckpointer(file, (isPaused) => Atomics.store(word, 0, Number(isPaused)));
  return checkpointer.checkpoint({ erases: order === 'erase' });
};

parentPort?.on('message', (order: CheckpointOrder) => {
  const answer: CheckpointAnswer = { done: order, isPartial: false };
  try {
    answer.isPartial = !obey(order);
  } catch (error) {
    answer.error = error;
  }
  parentPort?.postMessage(answer);
  if (order === 'close') parentPort?.close();
});
