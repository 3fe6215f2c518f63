/** The recordings: listed, searched in their text, played and saved. */
import { useEffect, useState } from 'preact/hooks';
import type { RecordingSummary } from '../../page-messages.ts';
import { usePage, usePageState } from '../page-context.ts';
import { hrefOf } from '../route.ts';
import { dayAndTime, describeBytes, describeDuration } from '../words.ts';

/** A search reads files. */
const SEARCH_PAUSE_MS = 300;

export const RecordingList = () => {
  const { link } = usePage();
  const { connection } = usePageState();
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<readonly RecordingSummary[]>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    if (connection === 0) return;
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        link.request('recordings', search.trim() === '' ? {} : { search: search.trim() }).then(
          (all) => {
            if (!isCurrent) return;
            setFound(all);
            setTrouble(undefined);
          },
          (error: Error) => isCurrent && setTrouble(error.message),
        );
      },
      search === '' ? 0 : SEARCH_PAUSE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search, connection]);
  return (
    <>
      <div class="tools">
        <h1 class="hidden">Recordings</h1>
        <input
          type="search"
          aria-label="Search the text of the recordings"
          placeholder="Search in what was shown"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <p class="faint summary" role="status">
          {found === undefined ? 'Looking…' : `${found.length} recordings`}
        </p>
      </div>
      {trouble !== undefined && <p class="empty">{trouble}</p>}
      {found?.length === 0 && (
        <p class="empty">
          {search === '' ? 'There are no recordings yet.' : `No recording shows "${search}".`}
        </p>
      )}
      {found !== undefined && found.length > 0 && (
        <table class="recording-table">
          <thead>
            <tr>
              <th scope="col">Session</th>
              <th scope="col">Begun</th>
              <th scope="col">Lasted</th>
              <th scope="col">Size</th>
              <th scope="col">Program</th>
            </tr>
          </thead>
          <tbody>
            {found.map((recording) => (
              <Row key={recording.name} recording={recording} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};

const Row = ({ recording }: { recording: RecordingSummary }) => {
  const { name, session, startedAt, endedAt, bytes, command, isOpen, found, trouble } = recording;
  return (
    <tr>
      <th scope="row">
        {trouble === undefined ? (
          <a href={hrefOf({ view: 'recording', recording: name, at: undefined })}>{session}</a>
        ) : (
          session
        )}
        {isOpen && <span class="chip">open</span>}
      </th>
      <td>{dayAndTime(startedAt)}</td>
      <td>{describeDuration(Math.max(0, endedAt - startedAt))}</td>
      <td>{describeBytes(bytes)}</td>
      <td class="program">
        <code>{command}</code>
        {found !== undefined && <p class="faint">{found}</p>}
        {trouble !== undefined && <p class="trouble">{trouble}</p>}
      </td>
    </tr>
  );
};
