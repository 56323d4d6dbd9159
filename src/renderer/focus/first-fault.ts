import type { RefObject } from 'react';

/** The first field in `part` that is marked as wrong (WAI-ARIA 1.2 §6.6, `aria-invalid`). */
export function findFirstFault(part: ParentNode | null): HTMLElement | null {
  return part?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
}

/** Moves the focus to the first field of a form that is wrong, once React has marked it. */
export function focusFirstFault(form: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => findFirstFault(form.current)?.focus());
}
