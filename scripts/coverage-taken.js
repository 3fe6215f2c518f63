/** A test's process is killed in the end, and would take what it has counted with it. */
import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

afterAll(() => takeCoverage());
