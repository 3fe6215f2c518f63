// Records a session into the folder argv[2] until it is killed.
import { LocalSessions } from '../../dist/index.js';

const sessions = new LocalSessions({ recordings: { folder: process.argv[2] } });
const command = 'i=0; while :; do echo "line $((i += 1))"; [ $((i % 50)) = 0 ] && sleep 0.01; done';
await sessions.open({ command, record: true, timeoutMs: 0 });
