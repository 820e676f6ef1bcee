// Runs everything, one after the other: `node --test --test-concurrency=1 all.mjs`.

import { after } from 'node:test';
import { closeAll } from './harness.mjs';
import './play.test.mjs';
import './lifetime.test.mjs';
import './access.test.mjs';
import './look.test.mjs';

after(closeAll);
