import { parentPort, workerData } from 'node:worker_threads';
import { type Checkpointer, openCheckpointer } from './checkpointer.ts';

/** The data that the thread is started with. */
export interface CheckpointWorkerData {
  file: string;
  /** One 32-bit word: 1 while nobody else may begin a transaction. */
  pause: SharedArrayBuffer;
}

/** The orders to the thread, and its answer when one is done or has failed. `erase` is a checkpoint that also shortens the log. */
export type CheckpointOrder = 'checkpoint' | 'erase' | 'close';
export type CheckpointAnswer = { done: CheckpointOrder; error?: unknown };

const { file, pause } = workerData as CheckpointWorkerData;
const word = new Int32Array(pause);
let checkpointer: Checkpointer | undefined;

const obey = (order: CheckpointOrder) => {
  if (order === 'close') {
    checkpointer?.close();
    return;
  }
  checkpointer ??= openCheckpointer(file, (isPaused) => Atomics.store(word, 0, Number(isPaused)));
  checkpointer.checkpoint({ erases: order === 'erase' });
};

parentPort?.on('message', (order: CheckpointOrder) => {
  const answer: CheckpointAnswer = { done: order };
  try {
    obey(order);
  } catch (error) {
    answer.error = error;
  }
  parentPort?.postMessage(answer);
  if (order === 'close') parentPort?.close();
});
