'use strict';

// ---- tips: what a mark says when one points at it, or reaches it with the arrow keys of its chart

const tip = document.getElementById('tip');
let shown = null;

function show(mark) {
  if (shown === mark) return;
  hide();
  shown = mark;
  mark.classList.add('shown');
  tip.textContent = mark.dataset.tip;
  const at = mark.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const x = Math.min(Math.max(4, at.left + at.width / 2 + 10), innerWidth - own.width - 4);
  const above = at.top - own.height - 8;
  tip.style.left = x + 'px';
  tip.style.top = (above > 4 ? above : Math.min(at.bottom + 8, innerHeight - own.height - 4)) + 'px';
}

function hide() {
  if (shown) shown.classList.remove('shown');
  shown = null;
  tip.textContent = '';
}

/// A pointer that rests while the page moves below it says nothing.
let rests = {};
function point(event) {
  if (event.clientX === rests.x && event.clientY === rests.y) return;
  rests = {x: event.clientX, y: event.clientY};
  const mark = event.target.closest('[data-tip]');
  if (mark) show(mark); else hide();
}

document.addEventListener('pointerover', point);
document.addEventListener('pointermove', point, {passive: true});  // after scrolling, within the same mark
document.addEventListener('scroll', hide, {passive: true, capture: true});  // of panels too
document.addEventListener('focusout', hide);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') return hide();
  const chart = event.target.closest('svg.chart');
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
  if (!chart || !step) return;
  const marks = [...chart.querySelectorAll('[data-tip]')];
  if (!marks.length) return;
  event.preventDefault();
  const place = shown ? marks.indexOf(shown) : -1;
  const next = place < 0 ? (step > 0 ? 0 : marks.length - 1) : (place + step + marks.length) % marks.length;
  show(marks[next]);
});

// ---- diagrams of one item at a time

/// Little-endian numbers from base64.
function numbers(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

/// Kinds differ in shape as well as in colour.
const shapes = {
  circle: 'M-3.2 0A3.2 3.2 0 1 0 3.2 0A3.2 3.2 0 1 0 -3.2 0Z',
  square: 'M-2.8 -2.8H2.8V2.8H-2.8Z',
  triangle: 'M0 -3.6L3.4 2.6H-3.4Z',
  diamond: 'M0 -4L4 0L0 4L-4 0Z',
};
const shape_of = {ord0: 'circle', rel1: 'square', ext0: 'triangle', ext1: 'diamond', sub0: 'circle', sup0: 'square',
  sub1: 'diamond', h0: 'circle', h1: 'square'};

function element(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const round = (x, digits) => Number(x.toPrecision(digits)).toString();

/// The points of an item, those with the same coordinates, as they are told, together: they are drawn once, larger.
function places(group, item) {
  const found = new Map();
  for (let i = group.offsets[item]; i < group.offsets[item + 1]; ++i) {
    const key = `${round(group.points[2 * i], group.digits)} ${round(group.points[2 * i + 1], group.digits)}`;
    if (found.has(key)) found.get(key).push(i); else found.set(key, [i]);
  }
  return found.values();
}

/// What a place says: so many points, where, and the vertices of the first few.
function about(name, group, place) {
  const most = 6;
  const [birth, death] = [group.points[2 * place[0]], group.points[2 * place[0] + 1]];
  let text = `${name}, ${place.length > 1 ? place.length + ' points of ' : ''}${group.kind}\n`
    + `birth ${round(birth, group.digits)}, death ${round(death, group.digits)}`;
  if (group.vertices) {
    // A class that never dies, and was clipped, has one vertex.
    const told = place.map((i) => [group.vertices[2 * i], group.vertices[2 * i + 1]].filter((vertex) => vertex >= 0))
      .filter((pair) => pair.length);
    const one = told.length === 1 && told[0].length === 1;
    if (told.length) text += `\n${one ? 'vertex' : 'vertices'} ${told.slice(0, most).map((pair) => pair.join(' and ')).join('; ')}`
      + (told.length > most ? '; …' : '');
  }
  return text;
}

function diagrams(view) {
  const data = JSON.parse(view.querySelector('script').textContent);
  for (const group of data.groups) {
    group.offsets = numbers(group.offsets, Uint32Array);
    group.points = 'Float64' in group.points ? numbers(group.points.Float64, Float64Array)
      : numbers(group.points.Float32, Float32Array);
    group.vertices = group.vertices && numbers(group.vertices, Int32Array);
  }
  const select = view.querySelector('select');
  const hidden = new Set();

  /// The shown groups of a slot.
  const groups_of = (slot) => data.groups.filter(
    (group) => group.chart === Number(slot.dataset.chart) && !hidden.has(group.kind));

  function points(slot, item) {
    const [left, bottom, width, height, across, up, x0, y0] = slot.dataset.frame.split(' ').map(Number);
    const marks = [];
    for (const group of groups_of(slot)) {
      for (const place of places(group, item)) {
        const [birth, death] = [group.points[2 * place[0]], group.points[2 * place[0] + 1]];
        marks.push(element('path', {
          'class': 'dot ' + group.kind, 'd': shapes[shape_of[group.kind]],
          'data-tip': about(data.items[item].name, group, place),
          'transform': `translate(${left + (birth - x0) * across} ${bottom - (death - y0) * up})`
            + (place.length > 1 ? ` scale(${Math.min(2, place.length ** 0.3).toFixed(2)})` : ''),
        }));
      }
    }
    if (!marks.length) {
      marks.push(element('text', {'class': 'note middle', 'x': left + width / 2, 'y': bottom - height / 2}));
      marks[0].textContent = 'no points';
    }
    return marks;
  }

  /// From the bottom up: kind by kind, in the order of lower ends.
  function intervals(slot, item) {
    const [left, bottom, , height, across, , x0] = slot.dataset.frame.split(' ').map(Number);
    const rows = [];
    for (const group of groups_of(slot)) {
      const own = [];
      for (let i = group.offsets[item]; i < group.offsets[item + 1]; ++i) {
        const [birth, death] = [group.points[2 * i], group.points[2 * i + 1]];
        own.push({group, i, low: Math.min(birth, death), high: Math.max(birth, death)});
      }
      rows.push(...own.sort((a, b) => a.low - b.low || a.high - b.high));
    }
    const step = height / Math.max(rows.length, 12);
    return rows.map((row, place) => element('rect', {
      'class': 'bar ' + row.group.kind, 'data-tip': about(data.items[item].name, row.group, [row.i]),
      'x': left + (row.low - x0) * across, 'width': Math.max((row.high - row.low) * across, 1),
      'y': bottom - (place + 0.85) * step, 'height': 0.7 * step,
    }));
  }

  function draw() {
    hide();
    const item = select.selectedIndex;
    for (const slot of view.querySelectorAll('.slot'))
      slot.replaceChildren(...(slot.classList.contains('points') ? points : intervals)(slot, item));
    view.querySelector('output').textContent = data.items[item].about;
  }

  select.addEventListener('change', draw);
  for (const button of view.querySelectorAll('button')) {
    button.addEventListener('click', () => {
      const count = select.options.length;
      select.selectedIndex = (select.selectedIndex + Number(button.dataset.step) + count) % count;
      draw();
    });
  }
  for (const box of view.querySelectorAll('.kinds input')) {
    const mark = element('svg', {'viewBox': '-5 -5 10 10', 'aria-hidden': 'true'});
    mark.append(element('path', {'class': box.value, 'd': shapes[shape_of[box.value]]}));
    box.after(mark);
    box.addEventListener('change', () => {
      if (box.checked) hidden.delete(box.value); else hidden.add(box.value);
      draw();
    });
  }
  draw();
}

document.querySelectorAll('.diagrams').forEach(diagrams);
