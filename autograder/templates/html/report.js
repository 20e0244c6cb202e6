"use strict";
const { columns, rows } = JSON.parse(document.getElementById("data").textContent);
const page = 200;
let order = { column: 0, down: false }, shown = page, found = rows;
const byId = (id) => document.getElementById(id);

function compare(a, b) {
  const x = a[order.column], y = b[order.column];
  const sign = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
  return order.down ? -sign : sign;
}

function select() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = byId("status").value;
  const place = columns.findIndex((column) => column.name === "status");
  found = rows.filter((row) => (!status || row[place] === status) &&
    words.every((word) => row.slice(0, columns.length).some((cell) => String(cell).toLowerCase().includes(word))));
  found.sort(compare);
  shown = page;
  draw();
}

function draw() {
  const body = document.createElement("tbody");
  for (const row of found.slice(0, shown)) {
    const line = body.insertRow();
    columns.forEach((column, index) => {
      const cell = line.insertCell();
      if (column.number) cell.className = "n";
      const link = index === 0 && row[columns.length];
      const target = link ? cell.appendChild(document.createElement("a")) : cell;
      if (link) target.href = link;
      target.textContent = row[index];
    });
  }
  document.querySelector("#rows tbody").replaceWith(body);
  byId("count").textContent = `${found.length} of ${rows.length}`;
  byId("more").hidden = found.length <= shown;
}

document.querySelectorAll("th button").forEach((button) => button.addEventListener("click", () => {
  const column = Number(button.dataset.column);
  order = { column, down: order.column === column && !order.down };
  document.querySelectorAll("#rows th").forEach((head) => head.removeAttribute("aria-sort"));
  button.parentElement.setAttribute("aria-sort", order.down ? "descending" : "ascending");
  select();
}));
byId("search").addEventListener("input", select);
byId("status").addEventListener("change", select);
byId("more").addEventListener("click", () => { shown += page; draw(); });
select();
