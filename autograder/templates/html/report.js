"use strict";
const { columns, rows } = JSON.parse(document.getElementById("data").textContent);
const page = 200;
const words = new Intl.Collator("en", { numeric: true });
const haystacks = rows.map((row) => row.slice(0, columns.length).join("\n").toLowerCase());
let order = { column: 0, down: false }, shown = page, found = [];
const byId = (id) => document.getElementById(id);

function compare(a, b) {
  const x = rows[a][order.column], y = rows[b][order.column];
  const sign = typeof x === "number" ? x - y : words.compare(x, y);
  return (order.down ? -sign : sign) || a - b;
}

function chosen(id) {
  const value = byId(id)?.value;
  const column = columns.findIndex(({ name }) => name === id);
  return (row) => !value || row[column] === value;
}

function select() {
  const wanted = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const filters = [chosen("status"), chosen("lab")];
  found = [...rows.keys()].filter((index) =>
    filters.every((fits) => fits(rows[index])) && wanted.every((word) => haystacks[index].includes(word)));
  found.sort(compare);
  shown = page;
  draw();
}

function cell(line, row, index) {
  const made = line.appendChild(document.createElement(index ? "td" : "th"));
  if (columns[index].number) made.className = "n";
  if (!index) made.scope = "row";
  const target = index ? made : made.appendChild(document.createElement("a"));
  if (!index) target.href = row[columns.length];
  target.textContent = row[index];
}

function draw() {
  const body = document.createElement("tbody");
  for (const index of found.slice(0, shown)) {
    const line = body.insertRow();
    columns.forEach((_, column) => cell(line, rows[index], column));
  }
  document.querySelector("#rows tbody").replaceWith(body);
  byId("count").textContent = `${found.length} of ${rows.length}`;
  byId("more").hidden = found.length <= shown;
}

function sortBy(column) {
  order = { column, down: order.column === column && !order.down };
  document.querySelectorAll("#rows th button").forEach((button, index) => {
    if (index === column) button.parentElement.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else button.parentElement.removeAttribute("aria-sort");
  });
  select();
}

document.querySelectorAll("#rows th button").forEach((button, column) =>
  button.addEventListener("click", () => sortBy(column)));
for (const id of ["search", "status", "lab"]) byId(id)?.addEventListener("input", select);
byId("more").addEventListener("click", () => {
  const next = shown;
  shown += page;
  draw();
  document.querySelectorAll("#rows tbody a")[next].focus();
});
order.down = true;
sortBy(0);
