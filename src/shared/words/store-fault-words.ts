import { assertNever } from '../assert-never.ts';
import type { StoreFault, StoreProblem, UnopenedStore } from '../model/store-fault.ts';

/** Why the store can't be used, what to do, and how many changes wait, in a sentence or two. It has the store's path only if `problem` has. */
export function describeStoreProblem({ fault, path, waiting = 0 }: StoreProblem): string {
  const sentence = describeStoreFault(fault, path === undefined ? 'The store' : `The store ${path}`);
  if (waiting === 0) return sentence;
  return `${sentence} ${waiting === 1 ? '1 change waits' : `${waiting} changes wait`} in memory.`;
}

/** Why the store can't be opened, in a sentence or two. */
export function describeUnopenedStore({ path, fault }: UnopenedStore): string {
  const store = `The store ${path}`;
  switch (fault.code) {
    case 'newer':
      return `${store} was written by a newer Tallylight (schema ${fault.version}; this version supports ${fault.known}). Install the newer version, or choose another data folder.`;
    case 'older':
      return `${store} is in use by an older Tallylight (schema ${fault.version}; this version needs ${fault.needed}). Close that one, and start this version first.`;
    case 'damaged':
      return `${store} is damaged. Start Tallylight to repair it.`;
    case 'disk-full':
      return `${store} cannot be opened: its disk is full. Free some space there, then start Tallylight again.`;
    case 'system':
      return `${store} cannot be opened. ${fault.text}.`;
    default:
      return `${store} cannot be opened. ${describeStoreFault(fault, store)}`;
  }
}

/** @param store the name for a store that is missing or out of reach */
function describeStoreFault(fault: StoreFault, store: string): string {
  switch (fault.code) {
    case 'locked':
      return 'The store is locked by another program. Close it, or wait until it is done.';
    case 'read-only':
      return 'The store is read-only. Give Tallylight write permission for its data folder.';
    case 'disk-failed':
      return 'The store cannot be used: its disk failed to read or write.';
    case 'cannot-open':
      return 'The store cannot be used: its file cannot be opened.';
    case 'damaged':
      return 'The store is damaged. Restart Tallylight to repair it.';
    case 'no-memory':
      return 'The store cannot be used: this computer is out of memory.';
    case 'disk-full':
      return 'The store cannot be written: the disk is full.';
    case 'disk-slow':
      return 'The store cannot be written: its disk is slow.';
    case 'disk-silent':
      return 'The store cannot be written: its disk has not answered for over a second.';
    case 'unconfirmed':
      return 'This was done, but the disk has not confirmed it. It would be lost in a power failure.';
    case 'missing':
      return `${store} is missing. Put it back, or restart Tallylight.`;
    case 'out-of-reach': {
      const reason = fault.reason === undefined ? '' : ` (${fault.reason})`;
      return `${store} cannot be reached${reason}. Check its disk and the permissions of its folder.`;
    }
    case 'closing':
      return 'Tallylight is closing.';
    default:
      return assertNever(fault);
  }
}
