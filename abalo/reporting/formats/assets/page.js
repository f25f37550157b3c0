"use strict";
// The table of cases, the filter, and what is folded away, drawn from the data of the page. Text becomes text nodes and
// attributes alone: nothing in the data is read as markup.
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("abalo-data").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  // Elements from data: see elements.py for the notation

  const node = (found) => (typeof found === "number" ? data.shared[found] : found);

  function drawn(found, namespace) {
    const given = node(found);
    if (typeof given === "string") return document.createTextNode(given);
    const [name, ...classes] = given[0].split(".");
    const space = name === "svg" ? SVG : namespace;
    const element = space ? document.createElementNS(space, name) : document.createElement(name);
    if (classes.length) element.setAttribute("class", classes.join(" "));
    const hasAttributes = given[1] !== null && typeof given[1] === "object" && !Array.isArray(given[1]);
    if (hasAttributes) for (const [key, value] of Object.entries(given[1])) element.setAttribute(key, value);
    for (const child of given.slice(hasAttributes ? 2 : 1)) element.append(drawn(child, space));
    return element;
  }

  const texts = new Map();
  function textOf(found) {
    if (typeof found === "number") {
      if (!texts.has(found)) texts.set(found, textOf(data.shared[found]));
      return texts.get(found);
    }
    return typeof found === "string" ? found : found.slice(1).map((each) =>
      typeof each === "object" && !Array.isArray(each) ? "" : textOf(each)).join(" ");
  }

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // Numbers as the rest of the page has them

  const places = (unit) => (unit ? 1 : 3);
  const said = (value, unit) => (value === null || value === undefined ? "–"
    : (Number(value.toFixed(places(unit))) + 0).toFixed(places(unit)).replace("-", "−"));

  function measured([value, low, high], unit) {
    const parts = [said(value, unit) + (unit && value !== null ? " " + unit : "")];
    if (value !== null && low !== null && high !== null) {
      parts.push(element("small", { className: "abalo-quiet" }, ` [${said(low, unit)}, ${said(high, unit)}]`));
    }
    return [element("span", { className: "abalo-measured" }, ...parts)];
  }

  // The table

  const RANKS = ["fail", "inconclusive", "pass", "unjudged"];
  const STATES = ["regressed", "undecided", "accepted", "no worse", "improved", "same results", "identical", "not comparable"];
  const NONE = [null, null, null];
  const type = () => find("abalo-type").value;
  const numberOf = (each) => (type() ? each.groups[type()] || NONE : each.number);
  const compared = data.cases.some((each) => each.state !== null);
  const several = new Set(data.cases.map((each) => each.task)).size > 1;

  const columns = [
    { key: "name", title: "Case", text: (each) => each.name },
    ...(several ? [{ key: "task", title: "Task", text: (each) => each.task, shown: (each) => [each.task] }] : []),
    ...(data.cases.some((each) => each.verdict !== "unjudged") ? [{ key: "verdict", title: "Verdict",
      number: (each) => RANKS.indexOf(each.verdict), shown: badge }] : []),
    { key: "number", title: "Measured", number: (each) => numberOf(each)[0], most: true, shown: (each) => [
      element("span", { className: "abalo-metric" }, `${each.metric} `), ...measured(numberOf(each), each.unit)] },
    ...(data.cases.some((each) => each.margin !== null) ? [{ key: "margin", title: "Margin",
      hint: "distance from the nearest bound on the number, negative beyond it",
      number: (each) => each.margin, shown: (each) => (each.margin === null ? ["–"]
        : [said(each.margin, each.unit), " ", element("small", { className: "abalo-quiet" }, each.bound)]) }] : []),
    ...(compared ? [{ key: "loss", title: "Loss", hint: "against the reference", number: (each) => each.loss[0], most: true,
      shown: (each) => (each.state === null ? ["–"] : [...measured(each.loss, ""), " ",
        element("small", { className: each.state === "regressed" ? "abalo-regressed" : "abalo-quiet" }, each.state + (each.where ? ` in ${each.where}` : ""))]) }] : []),
  ];

  function badge(each) {
    return [element("span", { className: `abalo-badge abalo-${each.verdict}` }, `${each.sign} ${each.word}`)];
  }

  const table = find("abalo-cases");
  const rows = data.cases.map((each, place) => rowOf(each, place));

  function rowOf(each, place) {
    const button = element("button", { type: "button", className: "abalo-toggle", "aria-expanded": "false",
      "aria-controls": `abalo-body-${place}` }, each.name);
    const link = element("a", { href: `#${each.anchor}`, className: "abalo-link", title: "Link to this case",
      "aria-label": `Link to ${each.name}` }, "#");
    const head = element("th", { scope: "row" }, button, " ", link, " ", element("code", { className: "abalo-id" }, each.id));
    const cells = columns.slice(1).map((column) => element("td", { className: column.number && column.key !== "verdict"
      ? "abalo-number" : "", "data-label": column.title }, ...column.shown(each)));
    const line = element("tr", { className: "abalo-case" }, head, ...cells);
    const box = element("td", { colSpan: columns.length });
    const body = element("tr", { id: `abalo-body-${place}`, className: "abalo-body", hidden: true }, box);
    const group = element("tbody", { id: each.anchor, "data-case": each.anchor }, line, body);
    button.addEventListener("click", () => toggle(row, body.hidden));
    const row = { each, place, group, line, body, box, button, searched: null };
    return row;
  }

  function toggle(row, open) {
    if (open && !row.box.firstChild) row.box.append(...row.each.body.map((found) => drawn(found)));
    row.body.hidden = !open;
    row.button.setAttribute("aria-expanded", String(open));
    if (open) reachable(row.box);
  }

  // A box that scrolls can be reached by keys, as where a table is wider than a phone
  function reachable(root) {
    for (const box of root.querySelectorAll(".abalo-scroll")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  // Sorting

  let sorting = { key: null, ascending: true };

  function sort(key, ascending) {
    const column = columns.find((each) => each.key === key);
    sorting = { key, ascending };
    const value = column && (column.number || column.text);
    const sign = ascending ? 1 : -1;
    const sorted = !column ? [...rows] : [...rows].sort((a, b) => {
      const [first, second] = [value(a.each), value(b.each)];
      if (first === null || first === undefined) return second === null || second === undefined ? a.place - b.place : 1;
      if (second === null || second === undefined) return -1;
      const order = column.text ? first.localeCompare(second) : first - second;
      return sign * order || a.place - b.place;
    });
    table.append(...sorted.map((row) => row.group));
    for (const each of heads) {
      const here = each.column.key === key;
      each.cell.setAttribute("aria-sort", here ? (ascending ? "ascending" : "descending") : "none");
    }
    find("abalo-sort").value = key === null ? "" : `${key} ${ascending ? "up" : "down"}`;
  }

  const heads = columns.map((column) => {
    const button = element("button", { type: "button", title: column.hint || "" }, column.title);
    const cell = element("th", { scope: "col", "aria-sort": "none",
      className: column.number && column.key !== "verdict" ? "abalo-number" : "" }, button);
    button.addEventListener("click", () =>
      sort(column.key, sorting.key === column.key ? !sorting.ascending : !column.most));
    table.tHead.rows[0].append(cell);
    return { column, cell };
  });

  const orders = find("abalo-sort");
  orders.append(new Option("what matters most", ""));
  for (const column of columns) {
    const [up, down] = column.text ? ["A to Z", "Z to A"] : ["smallest first", "largest first"];
    if (column.key !== "verdict") orders.append(new Option(`${column.title}, ${up}`, `${column.key} up`),
      new Option(`${column.title}, ${down}`, `${column.key} down`));
    else orders.append(new Option("Verdict, worst first", "verdict up"), new Option("Verdict, best first", "verdict down"));
  }
  orders.addEventListener("change", () => {
    const [key, way] = orders.value.split(" ");
    sort(key || null, way !== "down");
  });

  // Filtering

  const filter = find("abalo-filter");
  const options = (id, values) => find(id).append(...values.map((each) => new Option(each)));
  const distinct = (values) => [...new Set(values)];
  const supported = distinct(data.cases.flatMap((each) => Object.keys(each.groups))).sort();
  options("abalo-task", distinct(data.cases.map((each) => each.task)));
  options("abalo-verdict", RANKS.filter((rank) => data.cases.some((each) => each.verdict === rank)));
  options("abalo-type", supported);
  if (compared) {
    const states = STATES.filter((state) => data.cases.some((each) => each.state === state));
    find("abalo-verdict").append(...states.map((state) => new Option(`against the reference: ${state}`, `=${state}`)));
  }
  if (!several) find("abalo-task").parentElement.hidden = true;
  if (!supported.length) find("abalo-type").parentElement.hidden = true;
  if (!compared && distinct(data.cases.map((each) => each.verdict)).length < 2) find("abalo-verdict").parentElement.hidden = true;

  function searched(row) {
    if (row.searched === null) {
      const { name, id, kind, metric, body } = row.each;
      row.searched = [name, id, kind, metric, ...body.map(textOf)].join(" ").toLowerCase().replace(/\s+/g, " ");
    }
    return row.searched;
  }

  let linked = [];
  function apply() {
    const words = find("abalo-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [task, verdict, group] = [find("abalo-task").value, find("abalo-verdict").value, type()];
    const fits = ({ each }) => (!task || each.task === task) && (!group || group in each.groups)
      && (!verdict || (verdict[0] === "=" ? each.state === verdict.slice(1) : each.verdict === verdict));
    const kept = new Set();
    for (const row of rows) {
      const shown = fits(row) && words.every((word) => searched(row).includes(word));
      row.group.hidden = !shown;
      if (shown) kept.add(row.each.anchor);
    }
    for (const each of linked) each.hidden = !kept.has(each.dataset.case);
    find("abalo-count").textContent = `${kept.size} of ${rows.length} cases`;
    if (group !== shownType) renumber(group);
  }

  let shownType = "";
  function renumber(group) {
    shownType = group;
    const place = columns.findIndex((column) => column.key === "number");
    for (const row of rows) row.line.cells[place].replaceChildren(...columns[place].shown(row.each));
    heads[place].cell.firstChild.textContent = group ? `Measured on ${group}` : "Measured";
    if (sorting.key === "number") sort(sorting.key, sorting.ascending);
  }

  const relink = () => { linked = [...document.querySelectorAll("main [data-case]:not(tbody)")]; };
  filter.addEventListener("input", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("reset", () => setTimeout(apply));

  // Folds, links to cases, keys, paper, light and dark

  function unfold(fold) {
    if (fold.dataset.fold === undefined) return;
    fold.append(...data.folds[Number(fold.dataset.fold)].map((found) => drawn(found)));
    delete fold.dataset.fold;
    relink();
    apply();
    reachable(fold);
  }
  const folds = () => document.querySelectorAll("details[data-fold]");
  for (const fold of folds()) fold.addEventListener("toggle", () => fold.open && unfold(fold));
  addEventListener("resize", () => reachable(document));
  // On paper nothing can be opened: what was closed is open while the page is printed
  let printed = [];
  addEventListener("beforeprint", () => {
    folds().forEach(unfold);
    printed = rows.filter((row) => row.body.hidden && !row.group.hidden);
    printed.forEach((row) => toggle(row, true));
  });
  addEventListener("afterprint", () => {
    printed.forEach((row) => toggle(row, false));
    printed = [];
  });

  function follow() {
    const row = rows.find((each) => `#${each.each.anchor}` === location.hash);
    if (!row) return;
    if (row.group.hidden) filter.reset(), apply();
    toggle(row, true);
    row.group.scrollIntoView();
    row.button.focus({ preventScroll: true });
  }
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#case-']");
    if (link && link.getAttribute("href") === location.hash) follow();
  });

  addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      find("abalo-text").focus();
    } else if (event.key === "Escape" && event.target.id === "abalo-text") {
      filter.reset();
    }
  });
  find("abalo-open").addEventListener("click", () => rows.forEach((row) => row.group.hidden || toggle(row, true)));
  find("abalo-close").addEventListener("click", () => rows.forEach((row) => toggle(row, false)));

  const theme = find("abalo-theme");
  const stored = (action) => { try { return action(localStorage); } catch { return null; } };
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  function paint(chosen) {
    if (chosen) document.documentElement.dataset.theme = chosen;
    const dark = chosen ? chosen === "dark" : prefersDark.matches;
    theme.textContent = dark ? "Light" : "Dark";
    theme.setAttribute("aria-label", dark ? "Change to light colours" : "Change to dark colours");
  }
  theme.addEventListener("click", () => {
    const chosen = theme.textContent.toLowerCase();
    stored((storage) => storage.setItem("abalo-theme", chosen));
    paint(chosen);
  });
  prefersDark.addEventListener("change", () => paint(document.documentElement.dataset.theme));

  document.querySelectorAll(".abalo-js").forEach((each) => { each.hidden = false; });
  paint(["dark", "light"].find((name) => stored((storage) => storage.getItem("abalo-theme")) === name));
  sort(null, true);
  relink();
  apply();
  reachable(document);
  follow();
})();
