import { Minus, Plus } from 'lucide-react';
import { useRef } from 'react';
import type { Verdict } from '../../../shared/model/verdict.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { findCostliest } from './costliest-rendition.ts';
import { isMeant, type Press } from './meant-press.ts';

/** Turns off the costliest rendition if that is the advice, and turns those that are off back on, while on air. */
export function FewerRenditions({ live }: { live: StreamLive }) {
  const { renditions, stream, verdict } = live;
  const setRenditions = useAction((client, names: string[]) => client.broadcast.setRenditions({ streamId: stream.id, names }));
  const last = useRef<Press<string>>(undefined);
  // After a press, another button appears in the same spot.
  const press = (what: string, names: string[]) => {
    const pressed = { what, atMs: performance.now() };
    if (!isMeant(pressed, last.current)) return;
    last.current = pressed;
    void setRenditions.run(names);
  };
  const wanted = renditions.filter(({ state }) => state !== 'left-out').map(({ asked }) => asked.name);
  const leftOut = renditions.filter(({ state }) => state === 'left-out').map(({ asked }) => asked.name);
  const costliest = isRemedyOf(verdict) ? findCostliest(renditions)?.asked.name : undefined;
  return (
    <>
      {costliest === undefined ? null : (
        <Button
          icon={<Minus aria-hidden />}
          isPending={setRenditions.isPending}
          onClick={() =>
            press(
              `off ${costliest}`,
              wanted.filter((name) => name !== costliest),
            )
          }
        >
          Turn off “{costliest}”
        </Button>
      )}
      {leftOut.map((name) => (
        <Button
          key={name}
          icon={<Plus aria-hidden />}
          isPending={setRenditions.isPending}
          onClick={() => press(`on ${name}`, [...wanted, name])}
        >
          Turn “{name}” back on
        </Button>
      ))}
      {setRenditions.failure === undefined ? null : <p role="alert">{setRenditions.failure.sentence}</p>}
    </>
  );
}

/** Whether there is a button to show. */
export function canChangeRenditions({ renditions, verdict, session, stream }: StreamLive): boolean {
  if (session === undefined || stream.air.kind === 'off-air' || stream.air.kind === 'connecting') return false;
  return isRemedyOf(verdict) || renditions.some(({ state }) => state === 'left-out');
}

function isRemedyOf(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && 'remedy' in verdict && verdict.remedy === 'fewer-renditions';
}
