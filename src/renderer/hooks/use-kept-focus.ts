import { useEffect } from 'react';
import { focusPlace } from '../focus/focus-place.ts';

/** Whoever removes the focused element may focus another: a dialog that closes, a list whose item goes, a place that is entered. */
const othersTurnMs = 50;

/**
 * Keeps the focus in the window when the focused element is removed or disabled, by its own press or because its card goes: what is
 * left around it gets the focus, like Health, or else the place. Otherwise screen readers start from the top of the window.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let focused: Element | undefined;
    let around: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      focused = target;
      around = listAncestors(target);
    };
    const forget = ({ target }: FocusEvent) =>
      // Some browsers report a removal, too: by now it has happened.
      queueMicrotask(() => {
        if (target === focused && focused !== undefined && canHaveFocus(focused)) focused = undefined;
      });
    const observer = new MutationObserver(() => {
      if (focused === undefined || canHaveFocus(focused)) return;
      focused = undefined;
      clearTimeout(timer);
      timer = setTimeout(() => focusWhatIsLeft(around), othersTurnMs);
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

function canHaveFocus(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** More of them may have gone meanwhile, such as the place with its list. */
function focusWhatIsLeft(around: readonly Element[]): void {
  if (document.activeElement !== document.body) return;
  const left = around.find((element) => element.isConnected);
  const place = left?.closest<HTMLElement>('[tabindex]');
  if (place) place.focus({ preventScroll: true });
  else focusPlace();
}

function listAncestors(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let next = element.parentElement; next !== null; next = next.parentElement) ancestors.push(next);
  return ancestors;
}
