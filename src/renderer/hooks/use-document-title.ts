import { useEffect } from 'react';

/** Names the window: what is on air comes first. Never give it a secret. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
