// What is wrong with a page for those who do not see it, or use no mouse.
() => {
  const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
  const names = (element) => element.getAttribute("aria-label") || element.textContent.trim();
  if (!document.documentElement.lang) faults.push("the language is not said");
  if (!document.title) faults.push("there is no title");
  for (const landmark of ["main", "h1"]) if (all(landmark).length !== 1) faults.push(`not one ${landmark}`);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`a heading of level ${next} comes after one of ${level}`);
    if (!heading.textContent.trim()) faults.push("a heading is empty");
    level = next;
  }
  for (const input of all("input, select, textarea"))
    if (!input.labels.length) faults.push(`an input has no label`);
  for (const head of all("th")) if (!head.scope) faults.push(`${head.textContent} has no scope`);
  for (const table of all("table")) if (!table.querySelector("thead th")) faults.push("a table has no head");
  for (const svg of all("svg"))
    if (svg.getAttribute("role") !== "img" || !svg.getAttribute("aria-label")) faults.push("an svg has no text");
  for (const image of all("img")) if (!image.alt) faults.push("an image has no text");
  for (const link of all("a, button")) if (!link.hidden && !names(link)) faults.push("a link has no text");
  for (const part of all("section, article, nav"))
    if (!part.getAttribute("aria-label") && !document.getElementById(part.getAttribute("aria-labelledby")))
      faults.push("a part of the page has no name");
  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) faults.push(`${id} is there twice`);
  return faults;
}
