// The page of the pattern game: starts everything. Who decides is the verifier behind the server; this page
// draws, compares through it, and never judges by itself.

import { $, say } from './dom.js';
import { renderCanvas } from './canvas.js';
import { startDialogs } from './dialogs.js';
import { startDock } from './dock.js';
import { startGalleries } from './galleries.js';
import { startInspector } from './inspector.js';
import { startKeyboard } from './keyboard.js';
import { startLive } from './live.js';
import { startMinimap, renderMinimap } from './minimap.js';
import { startPeek } from './peek.js';
import { startPointer } from './pointer.js';
import { startPopover } from './popover.js';
import { startProgram } from './program.js';
import { startRun } from './run.js';
import { state, watch } from './state.js';
import { startText } from './astext.js';
import { startToolbar } from './toolbar.js';
import { maybeTour, watchTour } from './tour.js';
import { startTree } from './tree.js';
import { startViewport } from './viewport.js';

startToolbar();
watch(renderCanvas);
startInspector();
startGalleries();
startProgram();
startTree();
startText();
startPopover();
startDock();
startDialogs();
startRun();
startPeek();
startMinimap();
startPointer();
startKeyboard();
watchTour();
startViewport(() => { renderCanvas(); renderMinimap(); });
try {
  await startLive();
  document.body.classList.remove('loading');
  maybeTour();
  if (state.desk?.resumed) say(`Welcome back. The game goes on where you left it, after ${state.desk.resumed} submitted patterns.`);
} catch (e) {
  $('q').textContent = `The page could not be loaded: ${e instanceof Error ? e.message : e}. Is trellis oracle still running?`;
}
