import { useEffect } from 'react';

/** Sets the window's title; start it with what is on air. Never include a secret. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
