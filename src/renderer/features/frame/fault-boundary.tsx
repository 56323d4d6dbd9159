import { Component, type ReactNode, useEffect } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import screenStyles from '../../components/screen.module.css';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';

/** How soon a failed screen is tried again, in milliseconds: its data may have changed by then. */
const retryAfterMs = 5_000;

interface FaultState {
  hasFailed: boolean;
}

/** If its children fail to render, says so and tries again. Without this, React empties the whole window. */
export class FaultBoundary extends Component<{ children: ReactNode }, FaultState> {
  override state: FaultState = { hasFailed: false };

  static getDerivedStateFromError(): FaultState {
    return { hasFailed: true };
  }

  readonly #retry = () => this.setState({ hasFailed: false });

  override render() {
    return this.state.hasFailed ? <FailedScreen onRetry={this.#retry} /> : this.props.children;
  }
}

function FailedScreen({ onRetry }: { onRetry: () => void }) {
  useDocumentTitle("Can't show this screen · Tallylight", undefined);
  useEffect(() => {
    const timer = setTimeout(onRetry, retryAfterMs);
    window.addEventListener('hashchange', onRetry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('hashchange', onRetry);
    };
  }, [onRetry]);
  return (
    <main className={screenStyles.screen} id="main" tabIndex={-1}>
      <div className={screenStyles.column}>
        <Notice
          severity="bad"
          title="Can't show this screen"
          actions={
            <>
              <Button onClick={onRetry}>Try again</Button>
              <Button onClick={() => window.location.reload()}>Reload the page</Button>
            </>
          }
        >
          This is a fault in Tallylight. Your broadcasts continue, and this screen tries again every few seconds.
        </Notice>
      </div>
    </main>
  );
}
