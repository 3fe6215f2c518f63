/** Plays one recording. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { RECORDING_START_HEADER, recordingPath } from '../../page-messages.ts';
import { usePage } from '../page-context.ts';
import { hrefOf } from '../route.ts';
import { TerminalPane } from '../terminal/terminal-pane.ts';
import { minutesAndSeconds } from '../words.ts';
import { type PlayedCast, parseCast } from './cast.ts';
import { AFTER_MS, CastPlayer, type PlayerState } from './cast-player.ts';

interface Loaded {
  cast: PlayedCast;
  text: string;
  startedAt: number;
}

const SPEEDS = [0.5, 1, 2, 5, 20];

export const RecordingView = ({ recording, at }: { recording: string; at: number | undefined }) => {
  const { link, say } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const player = useRef<CastPlayer>(undefined);
  const [loaded, setLoaded] = useState<Loaded>();
  const [trouble, setTrouble] = useState<string>();
  const [state, setState] = useState<PlayerState>({ atMs: 0, isPlaying: false });
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    const aborter = new AbortController();
    load(recording, link.token, aborter.signal).then(setLoaded, (error: Error) => {
      if (!aborter.signal.aborted) setTrouble(error.message);
    });
    return () => aborter.abort();
  }, [recording]);
  useEffect(() => {
    if (loaded === undefined) return;
    const pane = new TerminalPane(place.current!, `Recording of ${loaded.cast.title}`);
    const playing = new CastPlayer(loaded.cast, pane, setState);
    player.current = playing;
    // A moment later: the screen after what happened then.
    if (at !== undefined) playing.seek(at - loaded.startedAt + AFTER_MS);
    else playing.toggle();
    return () => {
      playing.dispose();
      pane.dispose();
      player.current = undefined;
    };
  }, [loaded]);
  useKeys(player);
  const jump = (direction: 'next' | 'previous') => {
    if (player.current?.jump(direction) === false)
      say(direction === 'next' ? 'No command comes after this.' : 'No command comes before this.');
  };
  const save = () => {
    if (loaded === undefined) return;
    const url = URL.createObjectURL(new Blob([loaded.text], { type: 'application/x-asciicast' }));
    const anchor = document.createElement('a');
    anchor.href = url;
    anchor.download = `${recording}.cast`;
    anchor.click();
    URL.revokeObjectURL(url);
  };
  if (trouble !== undefined)
    return (
      <div class="empty">
        <h1>This recording cannot be played</h1>
        <p>{trouble}</p>
        <p>
          <a href={hrefOf({ view: 'recordings' })}>All recordings</a>
        </p>
      </div>
    );
  const { cast, startedAt = 0 } = loaded ?? {};
  return (
    <>
      <header class="session-head">
        <a class="back" href={hrefOf({ view: 'recordings' })} aria-label="All recordings">
          ←
        </a>
        <h1>{cast?.title || recording}</h1>
        {cast && (
          <p class="faint">
            {new Date(startedAt + state.atMs).toLocaleString([], { hour12: false })}
          </p>
        )}
        <span class="spacer" />
        <button type="button" onClick={save} disabled={loaded === undefined}>
          Save as asciicast
        </button>
      </header>
      {cast?.trouble && <p class="banner bad">{cast.trouble}</p>}
      <div class="pane" ref={place} />
      {cast === undefined ? (
        <p class="faint">Loading…</p>
      ) : (
        <div class="player">
          <button
            type="button"
            class="primary"
            onClick={() => player.current?.toggle()}
            title="Space"
          >
            {state.isPlaying ? 'Pause' : 'Play'}
          </button>
          <button type="button" onClick={() => jump('previous')} title="[">
            Previous command
          </button>
          <button type="button" onClick={() => jump('next')} title="]">
            Next command
          </button>
          <div class="bar">
            <input
              type="range"
              aria-label="Moment"
              aria-valuetext={minutesAndSeconds(state.atMs)}
              min={0}
              max={Math.max(1, cast.durationMs)}
              step={10}
              value={state.atMs}
              onInput={({ currentTarget }) => player.current?.seek(Number(currentTarget.value))}
            />
            <Marks cast={cast} />
          </div>
          <span class="time">
            {minutesAndSeconds(state.atMs)} of {minutesAndSeconds(cast.durationMs)}
          </span>
          <select
            aria-label="Speed"
            value={String(speed)}
            onChange={({ currentTarget }) => {
              const chosen = Number(currentTarget.value);
              setSpeed(chosen);
              if (player.current !== undefined) player.current.speed = chosen;
            }}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={String(each)}>
                {each}×
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  );
};

/** More could not be told apart. */
const MAX_MARKS = 300;

const Marks = ({ cast: { marks, durationMs } }: { cast: PlayedCast }) => (
  <div class="marks" aria-hidden="true">
    {marks.slice(0, MAX_MARKS).map(({ atMs, label, isCommand, isFailed }, index) => (
      <i
        key={index}
        class={isFailed ? 'failed' : isCommand ? 'command' : 'end'}
        style={{ left: `${(atMs / Math.max(1, durationMs)) * 100}%` }}
        title={label}
      />
    ))}
  </div>
);

const load = async (recording: string, token: string, signal: AbortSignal): Promise<Loaded> => {
  const response = await fetch(recordingPath(recording), {
    headers: { authorization: `Bearer ${token}` },
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return {
    text,
    cast: parseCast(text),
    startedAt: Number(response.headers.get(RECORDING_START_HEADER)),
  };
};

const useKeys = (player: { current: CastPlayer | undefined }): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isControl =
        target instanceof HTMLElement && ['BUTTON', 'SELECT', 'A'].includes(target.tagName);
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (key === ' ' && !isControl) player.current?.toggle();
      else if (key === ']') player.current?.jump('next');
      else if (key === '[') player.current?.jump('previous');
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
