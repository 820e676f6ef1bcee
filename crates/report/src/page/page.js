"use strict";
/* The states of violations and the invariants of proofs, from the data in this page. */
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; text is text. */
function make(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "text", "path", "defs", "marker"].includes(name);
  const e = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

/** Text in which what stands between backquotes is code. */
const rich = (text) => text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));

const MARKS = { verified: "✔", violated: "✘", "no-invariant": "?", unknown: "?" };
const verdictClass = (v) => (v === "verified" || v === "violated" ? v : "open");
const verdict = (v) => make("span", { class: "verdict " + verdictClass(v) }, `${MARKS[v] || "?"} ${v}`);

/* ---- theme ---- */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = theme === "dark" ? "Light" : "Dark";
}
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
$("theme").addEventListener("click", () =>
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

/* ---- summary ---- */
const all = [];
for (const file of data.files) for (const p of file.procedures) all.push({ file, p });
const count = (v) => all.filter((x) => x.p.verdict === v).length;
$("totals").textContent = `${all.length} procedure${all.length === 1 ? "" : "s"}: ` +
  ["verified", "violated", "no-invariant", "unknown"].filter(count).map((v) => `${count(v)} ${v}`).join(", ");
const home = all.length > 1 ? make("button", { type: "button" }, "Overview") : null;
home?.addEventListener("click", () => overview());
if (home) $("summary").append(home);
for (const file of data.files) {
  const list = make("ul");
  for (const x of all.filter((x) => x.file === file)) {
    x.button = make("button", { type: "button" }, x.p.name, verdict(x.p.verdict));
    x.button.addEventListener("click", () => show(x));
    list.append(make("li", {}, x.button));
  }
  $("summary").append(make("h2", {}, file.name), list);
  for (const d of file.diagnostics) $("summary").append(make("p", { class: "open" }, d));
}

/* ---- source ---- */
function source(name, marks) {
  const lines = (Object.hasOwn(data.sources, name) ? data.sources[name] : "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const list = make("ol");
  lines.forEach((text, i) => {
    const li = make("li", { class: marks[i + 1] }, make("span", { class: "no", "aria-hidden": "true" }, String(i + 1)), text);
    list.append(li);
  });
  return make("div", { class: "source code", tabindex: "0", role: "region", "aria-label": `Source of ${name}` }, list);
}
function mark(pane, line) {
  for (const li of pane.querySelectorAll("li.here")) { li.classList.remove("here"); li.removeAttribute("aria-current"); }
  const li = pane.querySelectorAll("li")[line - 1];
  if (!li) return;
  li.classList.add("here");
  li.setAttribute("aria-current", "step");
  const top = li.offsetTop - pane.offsetTop;
  if (top < pane.scrollTop + 20 || top > pane.scrollTop + pane.clientHeight - 40) pane.scrollTop = top - pane.clientHeight / 2;
}

/* ---- places: a node keeps the place that it got when it was first seen, as long as it is there ---- */
/** What a node is known by from state to state. */
const known = (n) => n.id ?? n.label;
const CELL = { w: 196, box: 124, row: 17 };
/** How many rows a node has: its values, then its fields. */
const rowsOf = (picture, i) => picture.nodes[i].values.length + picture.edges.filter((e) => e.from === i).length;
/** How wide the name of a variable is drawn. */
const tagWidth = (name) => 14 + 7.4 * name.length;
/** The most rows of a node, and how far nodes lie apart, so that no names lie over each other. */
function room(steps) {
  const most = { rows: 1, w: CELL.w };
  for (const { picture } of steps) {
    (picture?.nodes ?? []).forEach((_, i) => {
      const tags = picture.pointers.filter((p) => p.to === i).reduce((sum, p) => sum + tagWidth(p.name) + 4, 8);
      most.rows = Math.max(most.rows, rowsOf(picture, i));
      most.w = Math.max(most.w, tags);
    });
  }
  return most;
}
/** What fits into a node. */
const fitted = (text) => (text.length > 14 ? text.slice(0, 13) + "…" : text);
function places(steps) {
  const at = new Map(), taken = new Map(), last = new Map(), first = new Map();
  steps.forEach(({ picture }, i) => {
    for (const n of picture?.nodes ?? []) last.set(known(n), i);
    // Who will be the first to lead to a node: a new one waits behind it.
    for (const e of picture?.edges ?? []) {
      if (typeof e.to !== "number" || e.to === e.from) continue;
      const node = known(picture.nodes[e.to]);
      if (!first.has(node)) first.set(node, known(picture.nodes[e.from]));
    }
  });
  const free = (c, r) => !taken.has(`${c},${r}`);
  const put = (node, c, r) => { while (!free(c, r)) r++; at.set(node, { c, r }); taken.set(`${c},${r}`, node); };
  for (const [now, { picture }] of steps.entries()) {
    if (!picture) continue;
    // What is gone leaves its place to others.
    for (const [place, node] of taken) if (last.get(node) < now) taken.delete(place);
    const name = (i) => known(picture.nodes[i]);
    const main = picture.list;
    const edges = picture.edges.filter((e) => typeof e.to === "number");
    const follow = (i) => {
      for (;;) {
        const out = edges.filter((e) => e.from === i && !at.has(name(e.to)));
        const next = out.find((e) => e.field === main) ?? out[0];
        for (const e of out) if (e !== next) { put(name(e.to), at.get(name(i)).c + 1, at.get(name(i)).r + 1); follow(e.to); }
        if (!next || at.has(name(next.to))) return;
        put(name(next.to), at.get(name(i)).c + 1, at.get(name(i)).r);
        i = next.to;
      }
    };
    picture.nodes.forEach((n, i) => { if (at.has(known(n))) follow(i); });
    const begin = (i) => {
      if (at.has(name(i))) return;
      const to = edges.find((e) => e.from === i && at.has(name(e.to)));
      const place = to && at.get(name(to.to));
      const before = first.get(name(i)), behind = last.get(before) >= now ? at.get(before) : undefined;
      if (place && place.c > 0 && free(place.c - 1, place.r)) put(name(i), place.c - 1, place.r);
      else if (behind) put(name(i), behind.c + 1, behind.r);
      else { let r = 0; while (!free(0, r)) r++; put(name(i), 0, r); }
      follow(i);
    };
    const entered = new Set(edges.map((e) => e.to));
    picture.nodes.forEach((_, i) => { if (!entered.has(i)) begin(i); });
    picture.pointers.forEach((p) => { if (typeof p.to === "number") begin(p.to); });
    picture.nodes.forEach((_, i) => begin(i));
  }
  return at;
}

/* ---- what changed ---- */
const target = (picture, to) => (typeof to === "number" ? picture.nodes[to].label : to);
function facts(picture) {
  const f = { nodes: new Map(), edges: new Map(), pointers: new Map(), values: new Map() };
  if (!picture) return f;
  const to = (t) => (typeof t === "number" ? known(picture.nodes[t]) : t);
  for (const n of picture.nodes) f.nodes.set(known(n), { is: JSON.stringify([n.values, n.freed]), say: n.label, freed: n.freed });
  for (const e of picture.edges) {
    const from = picture.nodes[e.from];
    f.edges.set(`${known(from)}.${e.field}`, { is: to(e.to), say: `${from.label}.${e.field}`, to: target(picture, e.to), from: known(from) });
  }
  for (const p of picture.pointers) f.pointers.set(p.name, { is: to(p.to), say: p.name, to: target(picture, p.to) });
  for (const [n, v] of picture.values) f.values.set(n, { is: v, say: n });
  return f;
}
function changes(before, now) {
  const out = { nodes: new Set(), fresh: new Set(), edges: new Set(), pointers: new Set(), values: new Set(), words: [] };
  const diff = (kind, say) => {
    for (const [k, v] of now[kind]) if (before[kind].get(k)?.is !== v.is) { out[kind].add(k); say(v, k, before[kind].has(k)); }
  };
  diff("nodes", ({ say, freed }, k, old) => {
    if (!old) out.fresh.add(k);
    out.words.push(old ? (freed ? `${say} is freed` : `${say} changes`) : `${say} is new`);
  });
  diff("edges", ({ say, to, from }) => { if (!out.fresh.has(from)) out.words.push(`${say} is ${to === "null" ? "null" : "→ " + to}`); });
  diff("pointers", ({ say, to }) => out.words.push(to === "null" ? `${say} = null` : `${say} → ${to}`));
  diff("values", ({ say, is }) => out.words.push(`${say} = ${is}`));
  for (const [k, { say }] of before.nodes) if (!now.nodes.has(k)) out.words.push(`${say} is gone`);
  return out;
}

/* ---- drawing ---- */
function draw(picture, at, most, changed, title) {
  const cellHeight = 24 + CELL.row * most.rows + 62;
  let cols = 1, rows = 1;
  for (const { c, r } of at.values()) { cols = Math.max(cols, c + 1); rows = Math.max(rows, r + 1); }
  const width = cols * most.w + 60, height = rows * cellHeight + 40;
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const id of ["arrow", "arrow-changed"]) {
    svg.append(make("defs", {}, make("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
      make("path", { d: "M0 0 L8 4 L0 8 z", fill: id === "arrow" ? "var(--edge)" : "var(--bad)" }))));
  }
  const box = (i) => {
    const { c, r } = at.get(known(picture.nodes[i]));
    return { x: 20 + c * most.w, y: 40 + r * cellHeight, w: CELL.box, h: 30 + CELL.row * rowsOf(picture, i) };
  };
  const tags = new Map();
  for (const p of picture.pointers) {
    if (typeof p.to !== "number") continue;
    tags.set(p.to, [...(tags.get(p.to) ?? []), p.name]);
  }
  for (const [i, n] of picture.nodes.entries()) {
    const b = box(i), isNew = changed.fresh.has(known(n)), isChanged = changed.nodes.has(known(n));
    const g = make("g", { class: `node${n.freed ? " freed" : ""}${isChanged ? " changed" : ""}` });
    g.append(make("rect", { class: "box", x: b.x, y: b.y, width: b.w, height: b.h, rx: 5 }),
      make("rect", { class: "cap", x: b.x + 2, y: b.y + 2, width: b.w - 4, height: 20, rx: 3 }),
      make("text", { class: "name", x: b.x + 8, y: b.y + 17 }, n.label));
    const sign = n.freed ? "freed" : isNew ? "+ new" : isChanged ? "• changed" : "";
    if (sign) g.append(make("text", { class: "sign", x: b.x + b.w - 8, y: b.y + 17, "text-anchor": "end" }, sign));
    n.values.forEach(([field, value], row) =>
      g.append(make("text", { x: b.x + 8, y: b.y + 38 + 17 * row }, fitted(value === "" ? field : `${field} = ${value}`))));
    svg.append(g);
    let x = b.x;
    for (const name of tags.get(i) ?? []) {
      const w = tagWidth(name), isMoved = changed.pointers.has(name);
      svg.append(make("g", { class: `tag${isMoved ? " changed" : ""}` }, make("rect", { x, y: b.y - 26, width: w, height: 20, rx: 10 }),
        make("text", { x: x + 7, y: b.y - 12 }, name), make("path", { class: "edge", d: `M${x + 10} ${b.y - 6} L${x + 10} ${b.y - 1}` })));
      x += w + 4;
    }
  }
  const seen = new Map();
  for (const e of picture.edges) {
    const a = box(e.from), nth = seen.get(e.from) ?? 0;
    seen.set(e.from, nth + 1);
    const isChanged = changed.edges.has(`${known(picture.nodes[e.from])}.${e.field}`);
    const plain = `edge${isChanged ? " changed" : ""}`, css = `${plain}${e.maybe ? " maybe" : ""}`;
    const end = `url(#${isChanged ? "arrow-changed" : "arrow"})`;
    const row = picture.nodes[e.from].values.length + nth;
    const x1 = a.x + a.w, y1 = a.y + 34 + CELL.row * row;
    svg.append(make("g", { class: "node" }, make("text", { x: a.x + 8, y: y1 + 4 }, e.field.slice(0, 13))),
      make("path", { class: plain, d: `M${x1 - 9} ${y1} a2.5 2.5 0 1 0 0.1 0 z` }));
    const add = (d) => svg.append(make("path", { class: css, d, "marker-end": end }));
    const from = `M${x1 - 7} ${y1}`;
    if (typeof e.to !== "number") {
      svg.append(make("path", { class: css, d: `${from} H${x1 + 12}` }));
      if (e.to === "null") svg.append(make("path", { class: plain, d: `M${x1 + 12} ${y1 - 6} v12 M${x1 + 16} ${y1 - 4} v8 M${x1 + 20} ${y1 - 2} v4` }));
      else svg.append(make("text", { class: "label", x: x1 + 16, y: y1 + 4 }, "?"));
      continue;
    }
    const b = box(e.to);
    if (e.to === e.from) {
      add(`${from} C${x1 + 34} ${y1} ${x1 + 30} ${a.y + a.h + 26} ${a.x + a.w / 2} ${a.y + a.h + 20} L${a.x + a.w / 2} ${a.y + a.h + 1}`);
    } else if (b.x > a.x) {
      const y2 = b.y + 11;
      const far = b.x - a.x > most.w + 1 && Math.abs(b.y - a.y) < 2 ? a.h : 0;
      add(`${from} C${x1 + 40} ${y1 + far} ${b.x - 40} ${y2 + far} ${b.x - 1} ${y2}`);
    } else {
      const up = b.y > a.y + 2, x2 = b.x + b.w * (0.35 + 0.15 * (nth % 3));
      const y2 = up ? b.y - 1 : b.y + b.h + 1, bow = up ? y2 - 26 : Math.max(a.y + a.h, b.y + b.h) + 22 + nth * 8;
      add(`${from} C${x1 + 44} ${bow} ${x2} ${bow} ${x2} ${y2}`);
    }
  }
  return svg;
}

/* ---- invariants in words, and shapes of lists as drawings ---- */
/** A formula of the contract language as a sentence; what has no words stays as it is. */
function inWords(formula) {
  const path = String.raw`((?:[^(){},]|\([^()]*\)|\{[^{}]*\})+)`;
  return formula
    .replace(/^(\\forall [^;]*; )?(.*?) ==> /, "$1if $2 ==> ").replace(/ <==> /g, " exactly if ")
    .replace(new RegExp(String.raw`!reach\(${path}, ${path}, ${path}\)`, "g"), "$3 is not reached from $2 over $1")
    .replace(new RegExp(String.raw`reach\(${path}, ${path}, ${path}\)`, "g"), "$3 is reached from $2 over $1")
    .replace(new RegExp(String.raw`ls\(${path}, ${path}, ${path}\)`, "g"), "a list over $1 leads from $2 to $3")
    .replace(new RegExp(String.raw`stable\(${path}, ${path}\)`, "g"), "all that is reached from $2 over $1 is allocated")
    .replace(/!\\old\(alloc\)\(([^()]*(?:\([^()]*\))?)\)/g, "$1 was not allocated at the start")
    .replace(/\\old\(alloc\)\(([^()]*(?:\([^()]*\))?)\)/g, "$1 was allocated at the start")
    .replace(/!alloc\(([^()]*(?:\([^()]*\))?)\)/g, "$1 is not allocated")
    .replace(/alloc\(([^()]*(?:\([^()]*\))?)\)/g, "$1 is allocated")
    .replace(/\\forall ([^;]*);/g, "for every $1:").replace(/\\exists ([^;]*);/g, "there is $1 such that")
    .replace(/\\old\((\w+)\)/g, "the old $1")
    .replace(/ != NULL/g, " is not null").replace(/ == NULL/g, " is null")
    .replace(/ ==> /g, ", then ").replace(/ && /g, " and ").replace(/ \|\| /g, " or ").replace(/ == /g, " is ").replace(/ != /g, " is not ");
}
/** `h = q -> x, x ->+ NULL` as a picture: an arrow with `+` stands for one or more steps. */
function shape(text) {
  const name = String.raw`\\?\w+(?:\(\w+\))?`, names = `${name}(?: = ${name})*`;
  const step = new RegExp(`^(${names}) (->[123,+]*) (${name})$`), end = new RegExp(`^(${names})$`);
  const picture = { nodes: [], edges: [], pointers: [], values: [], list: "→" }, at = new Map();
  const steps = [];
  const node = (all) => {
    const i = picture.nodes.push({ label: String(picture.nodes.length + 1), values: [], freed: false }) - 1;
    for (const n of all) { at.set(n, i); picture.pointers.push({ name: n, to: i }); }
    return i;
  };
  for (const part of text.split(", ")) {
    const moves = step.exec(part);
    if (moves) { steps.push([node(moves[1].split(" = ")), moves[2], moves[3]]); continue; }
    const all = end.test(part) ? part.split(" = ") : null;
    if (all?.at(-1) !== "NULL") return null;
    for (const n of all.slice(0, -1)) picture.pointers.push({ name: n, to: "null" });
  }
  for (const [from, arrow, to] of steps) {
    if (to !== "NULL" && !at.has(to)) return null;
    // `->2+`: two fields or more.
    picture.edges.push({ from, field: ("→ " + arrow.slice(2)).trim(), to: to === "NULL" ? "null" : at.get(to), maybe: arrow !== "->" });
  }
  return picture.nodes.length || picture.pointers.length ? picture : null;
}
/** The parts of a text between commas that stand in no brackets. */
function parts(text) {
  const out = [""];
  let depth = 0;
  for (const c of text) {
    depth += "({".includes(c) ? 1 : ")}".includes(c) ? -1 : 0;
    if (c === "," && depth === 0) out.push("");
    else out[out.length - 1] += c;
  }
  return out.map((t) => t.trim());
}
/** `x = #0, #0: struct node{next: #1}, #1: one or more struct node{…}, then null` as a picture. */
function graph(text) {
  if (!/(^|, )\S+ = |: (struct |a tree of |one or more |any number of |\d+ or more )/.test(text) || !text.includes("#")) return null;
  const picture = { nodes: [], edges: [], pointers: [], values: [], list: "then" }, at = new Map(), links = [];
  const to = (value) => /^(?:last of )?#(\d+)(?:[+-]\d+)?$/.exec(value)?.[1];
  for (const part of parts(text)) {
    const then = /^then (.*)$/.exec(part), node = /^(#\d+|\w+): (.*)$/s.exec(part), variable = /^([\w.]+) = (.*)$/.exec(part);
    const last = picture.nodes.length - 1;
    if (then && last >= 0) links.push([last, "then", then[1], true]);
    else if (node) {
      const i = picture.nodes.push({ label: node[1], values: [], freed: false }) - 1;
      at.set(node[1].replace("#", ""), i);
      const object = /^([^{(]*)\{(.*)\}$/s.exec(node[2]);
      const many = /^(a tree of )?(one or more|any number of|\d+ or more) (.*)$/s.exec(node[2]);
      if (many) {
        const short = many[2] === "one or more" ? "1 or more" : many[2] === "any number of" ? "0 or more" : many[2];
        picture.nodes[i].values.push([many[1] ? `tree, ${short}` : short, ""], [/[\w ]+/.exec(many[3].replace(/^\(/, ""))?.[0] ?? "", ""]);
      } else if (object) {
        for (const cell of parts(object[2]).filter(Boolean)) {
          const [field, value] = cell.includes(": ") ? cell.split(": ") : ["", cell];
          if (value === "null" || to(value)) links.push([i, field, value, false]);
          else picture.nodes[i].values.push(field ? [field, value === "undefined" ? "?" : value] : [value, ""]);
        }
      } else return null;
    } else if (variable) {
      if (variable[2] === "null" || to(variable[2])) picture.pointers.push({ name: variable[1], to: variable[2] });
      else picture.values.push([variable[1], variable[2]]);
    } else picture.values.push([part, ""]);
  }
  const target = (value) => (value === "null" ? "null" : at.get(to(value) ?? value) ?? "?");
  for (const [from, field, value, maybe] of links) picture.edges.push({ from, field, to: target(value), maybe });
  for (const p of picture.pointers) p.to = target(p.to);
  return picture.nodes.length ? picture : null;
}
/** A memory without objects: what variables hold. */
function plain(text) {
  const all = parts(text).map((part) => /^([\w.]+) = (.*)$/.exec(part));
  if (all.some((m) => m === null)) return null;
  const nulls = all.filter((m) => m[2] === "null").map((m) => ({ name: m[1], to: "null" }));
  return { nodes: [], edges: [], pointers: nulls, values: all.filter((m) => m[2] !== "null").map((m) => [m[1], m[2]]), list: "then" };
}
/** Shapes that are drawn. */
const MOST_DRAWN = 6;
function invariant(formula, short) {
  const shapes = formula.split("\n|| "), pictures = shapes.map((s) => shape(s) ?? graph(s) ?? plain(s));
  if (pictures.some((p) => p === null) || !pictures.some((p) => p.nodes.length || p.pointers.length)) {
    if (formula.includes("\n")) return [make("pre", {}, short)];
    const said = inWords(formula);
    return [make("code", {}, formula), said === formula ? null : make("p", { class: "words" }, said)];
  }
  const none = changes(facts(null), facts(null));
  const drawn = pictures.slice(0, MOST_DRAWN).map((p, i) => {
    const nulls = p.pointers.filter((v) => v.to === "null").map((v) => `${v.name} = null`);
    const values = p.values.map(([n, v]) => (v === "" ? n : `${n} = ${v}`));
    const at = places([{ picture: p }]), most = room([{ picture: p }]);
    return make("figure", { tabindex: "0" }, ...(p.nodes.length ? [draw(p, at, most, none, shapes[i])] : []), make("figcaption", {}, [...nulls, ...values].join(", ")));
  });
  const more = pictures.length - drawn.length;
  return [make("p", {}, `The heap has one of ${pictures.length} shape${pictures.length === 1 ? "" : "s"}; ${pictures.some((p) => p.list === "then") ? "a broken arrow leads on behind the last of several." : "a broken arrow stands for as many steps as beside it, + for one or more."}`),
    make("div", { class: "shapes" }, ...drawn),
    make("details", {}, make("summary", {}, more > 0 ? `All of them as text, ${more} more` : "As text"), make("pre", {}, short))];
}

/* ---- all procedures ---- */
function overview() {
  for (const o of all) o.button.removeAttribute("aria-current");
  home?.setAttribute("aria-current", "true");
  keys = null;
  const what = ({ p }) => p.check ? `${p.check.message}, line ${p.check.line}` : p.reason
    ?? (p.invariants.length ? `${p.invariants.length} loop${p.invariants.length === 1 ? "" : "s"} with invariants` : "no loop needs an invariant");
  const rank = { violated: 0, unknown: 1, "no-invariant": 1, verified: 2 };
  const rows = [...all].sort((a, b) => rank[a.p.verdict] - rank[b.p.verdict]).map((x) => {
    const go = make("button", { type: "button", class: "plain" }, x.p.name);
    go.addEventListener("click", () => { show(x); $("main").focus(); });
    const cells = [go, verdict(x.p.verdict), `${x.p.file}:${x.p.line}`, what(x)];
    return make("tr", { role: "row" }, ...cells.map((cell) => make("td", { role: "cell" }, cell)));
  });
  const names = ["Procedure", "Verdict", "Where", "Why"].map((t) => make("th", { scope: "col", role: "columnheader" }, t));
  const head = make("tr", { role: "row" }, ...names);
  $("main").replaceChildren(make("div", { class: "top" }, make("h2", {}, "All procedures")),
    make("div", { class: "panel", tabindex: "0", role: "region", "aria-label": "All procedures" },
      // The roles stay where a narrow page shows the rows as blocks.
      make("table", { role: "table" }, make("thead", { role: "rowgroup" }, head), make("tbody", { role: "rowgroup" }, ...rows))));
}

/* ---- one procedure ---- */
let keys = null;
function show(x) {
  for (const o of all) o.button.removeAttribute("aria-current");
  home?.removeAttribute("aria-current");
  x.button.setAttribute("aria-current", "true");
  keys = null;
  const { p, file } = x, main = $("main");
  const top = make("div", { class: "top" }, make("h2", {}, p.name, " ", verdict(p.verdict)));
  const say = (text) => text && top.append(make("p", { class: "say" }, ...rich(text)));
  main.replaceChildren(top);
  if (p.check) {
    say(`${p.check.message}: ${p.check.file}:${p.check.line} (${p.check.id})`);
    player(main, p, file);
    return;
  }
  say(p.reason);
  const marks = {};
  for (const i of p.invariants) marks[i.line] = "loop";
  const code = source(p.file, marks), panel = make("div", { class: "panel", tabindex: "0", role: "region", "aria-label": "What is known" });
  for (const i of p.invariants) {
    panel.append(make("h3", {}, `What holds whenever the loop of line ${i.line} is reached`));
    const list = make("ul");
    // What is drawn has its few words below the drawings.
    for (const f of i.formulas) list.append(make("li", {}, ...invariant(f, i.short.join("\n"))));
    panel.append(list);
  }
  if (p.verdict === "verified" && !p.invariants.length) panel.append(make("p", {}, "There is no loop that needs an invariant."));
  if (p.assumptions) panel.append(make("h3", {}, "Assumes"), make("p", {}, p.assumptions));
  if (p.machine) panel.append(make("h3", {}, "Tried on the machine"), make("p", {}, p.machine));
  if (p.attempts.length) {
    panel.append(make("h3", {}, "What each engine came to"), make("ul", {}, ...p.attempts.map((a) => make("li", {}, make("code", {}, a[0]), ": ", ...rich(a[1])))));
  }
  if (p.abstract.length) {
    panel.append(make("h3", {}, "An execution in the abstract that no invariant excludes"));
    for (const s of p.abstract) panel.append(make("p", {}, `line ${s.line}`), make("pre", {}, s.text));
  }
  notes(panel, p);
  main.append(make("div", { class: "split" }, code, panel));
  mark(code, p.line);
}
/** Scrolls a pane, and nothing else, until an element is seen. */
function reveal(pane, element) {
  if (!element) return;
  const seen = pane.getBoundingClientRect(), it = element.getBoundingClientRect(), margin = 40;
  if (it.top < seen.top) pane.scrollTop += it.top - seen.top - margin;
  else if (it.bottom > seen.bottom) pane.scrollTop += it.bottom - seen.bottom + margin;
  if (it.left < seen.left) pane.scrollLeft += it.left - seen.left - margin;
  else if (it.right > seen.right) pane.scrollLeft += it.right - seen.right + margin;
}
function notes(to, p) {
  if (p.notes.length) to.append(make("h3", {}, "Notes"), make("ul", {}, ...p.notes.map((n) => make("li", {}, ...rich(n)))));
}

function player(main, p, file) {
  const runs = [p, ...p.others];
  const stage = make("div", { class: "heap", tabindex: "0", role: "region", "aria-label": "The heap" });
  const split = make("div", { class: "split" });
  const slider = make("input", { type: "range", min: 1, "aria-label": "State" });
  const output = make("output"), said = make("p", { class: "said" });
  const button = (text, label, by) => {
    const b = make("button", { type: "button", "aria-label": label, title: label }, text);
    b.addEventListener("click", () => go(by));
    return b;
  };
  let steps = [], at = new Map(), most = { rows: 1, w: CELL.w }, code = null, shown = "", i = 0, run = runs[0];
  const go = (by) => to(by === -Infinity ? 0 : by === Infinity ? steps.length - 1 : i + by);
  const to = (n) => {
    i = Math.min(Math.max(n, 0), steps.length - 1);
    const step = steps[i];
    slider.value = i + 1;
    slider.setAttribute("aria-valuetext", `state ${i + 1} of ${steps.length}, line ${step.line}`);
    output.textContent = `state ${i + 1} of ${steps.length}`;
    if (step.file !== shown) {
      shown = step.file;
      const fresh = source(shown, shown === run.check.file ? { [run.check.line]: "fails" } : {});
      code ? code.replaceWith(fresh) : split.prepend(fresh);
      code = fresh;
    }
    mark(code, step.line);
    const changed = changes(i ? facts(steps[i - 1].picture) : facts(step.picture), facts(step.picture));
    const words = i === 0 ? `${step.procedure} starts` : changed.words.length ? changed.words.join(", ") : "nothing changes";
    const fails = i === steps.length - 1 && step.file === run.check.file && step.line === run.check.line;
    const told = fails ? `line ${step.line} fails: ${run.check.message}` : `line ${step.line}: ${words}`;
    said.textContent = (step.skipped ? `${step.skipped} instructions left out; ` : "") + told;
    $("live").textContent = said.textContent;
    const list = make("ul", { class: "values code" });
    if (step.picture) {
      for (const v of step.picture.pointers.filter((v) => typeof v.to !== "number"))
        list.append(make("li", { class: changed.pointers.has(v.name) ? "changed" : undefined }, v.to === "null" ? `${v.name} = null` : `${v.name} → ?`));
      for (const [n, v] of step.picture.values) list.append(make("li", { class: changed.values.has(n) ? "changed" : undefined }, `${n} = ${v}`));
    }
    const open = stage.querySelector("details")?.open;
    const text = make("details", { open: open || !step.picture }, make("summary", {}, "The state as text"), make("pre", {}, step.text));
    stage.replaceChildren(...(list.children.length ? [list] : []),
      ...(step.picture ? [draw(step.picture, at, most, changed, `Heap of state ${i + 1}: ${step.text}`)] : []), text);
    reveal(stage, stage.querySelector("svg .changed") ?? stage.querySelector("svg .node"));
  };
  const start = (r) => {
    run = r; steps = r.steps; at = places(steps); most = room(steps); shown = "";
    slider.max = steps.length;
    to(0);
  };
  split.append(stage);
  slider.addEventListener("input", () => to(Number(slider.value) - 1));
  const controls = make("div", { class: "player" }, button("|◀", "First state", -Infinity), button("◀", "State before", -1),
    button("▶", "State after", 1), button("▶|", "Last state", Infinity), slider, output, said);
  if (runs.length > 1) {
    const choose = make("select", { "aria-label": "Violation" });
    runs.forEach((r, k) => choose.append(make("option", { value: k }, `${r.check.id} (line ${r.check.line})`)));
    choose.addEventListener("change", () => { start(runs[Number(choose.value)]); });
    main.querySelector(".top").append(choose);
  }
  if (p.command) {
    main.querySelector(".top").append(make("details", {}, make("summary", {}, "Run it again"), make("code", { class: "command" }, p.command)));
  }
  const below = make("div");
  notes(below, p);
  if (below.children.length) main.querySelector(".top").append(below);
  main.append(split, controls);
  start(p);
  keys = go;
}

document.addEventListener("keydown", (e) => {
  if (!keys || e.ctrlKey || e.metaKey || e.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[e.key];
  if (by === undefined) return;
  e.preventDefault();
  keys(by);
});

/** More programs than this begin with the table of all. */
const FEW = 3;
const first = all.find((x) => x.p.verdict === "violated") ?? all[0];
if (first && data.files.length > FEW) overview();
else if (first) show(first);
else $("main").append(make("p", { class: "top" }, "Nothing was looked at."));
