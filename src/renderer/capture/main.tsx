// First, so that the other styles can override it.
import '../styles/tokens.css';
import '../styles/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { chooseEvent } from '../../shared/choose-event.ts';
import { findCapturePlace } from '../client/capture-place.ts';
import { openConnection } from '../client/open-connection.ts';
import { stayOnDrops } from '../client/stay-on-drops.ts';
import { createLiveStore } from '../store/live-store.ts';
import { StoreProvider } from '../store/store-context.tsx';
import { openCaptureDesk } from './capture-desk.ts';
import { CapturePage } from './capture-page.tsx';

// Our Content-Security-Policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root === null) throw new Error('capture.html has no #root');

const connection = openConnection(window);
const desk = openCaptureDesk(connection, findCapturePlace(window));
// In the app nobody sees this page: the press was made in another window.
window.addEventListener(chooseEvent, (event) => desk.choose(String((event as CustomEvent<unknown>).detail)));

stayOnDrops(window);
createRoot(root).render(
  <StrictMode>
    <StoreProvider store={createLiveStore(connection)}>
      <CapturePage
        desk={desk}
        onAgain={(captureId) => void connection.client.pageCapture.again({ captureId }).catch(() => {})}
      />
    </StoreProvider>
  </StrictMode>,
);
