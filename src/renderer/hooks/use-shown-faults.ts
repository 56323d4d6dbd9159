import { useState } from 'react';

/** The fields of a form that show their faults. */
export type ShownFields = ReadonlySet<string> | 'all';

export interface ShownFaults {
  /** Picks the form's faults that are shown; any field may have none. */
  pick<Faults extends object>(faults: Faults): Faults;
  /** Call when the user has edited a field. */
  noteEdit(field: string): void;
  /** Call when the user has tried to save the form. */
  noteAttempt(): void;
  /** Resets the form to unedited. */
  clear(): void;
}

const none: ShownFields = new Set();

/** A field of a form shows its fault once it has been edited, and all fields do after an attempt to save; none do before. */
export function useShownFaults(): ShownFaults {
  const [shown, setShown] = useState(none);
  return {
    pick: (faults) => pickShown(faults, shown),
    noteEdit: (field) => setShown((now) => withShown(now, field)),
    noteAttempt: () => setShown('all'),
    clear: () => setShown(none),
  };
}

/** The faults of the fields in `shown`. */
export function pickShown<Faults extends object>(faults: Faults, shown: ShownFields): Faults {
  if (shown === 'all') return faults;
  return Object.fromEntries(Object.entries(faults).filter(([field]) => shown.has(field))) as Faults;
}

/** The fields in `shown`, plus `field`. */
export function withShown(shown: ShownFields, field: string): ShownFields {
  return shown === 'all' ? shown : new Set(shown).add(field);
}
