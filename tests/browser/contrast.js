// Every text on the page, with the contrast between it and what lies behind it.
() => {
  const channels = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const alpha = (color) => color[3] ?? 1;
  const over = (top, ground) => top.slice(0, 3).map((v, i) => v * alpha(top) + ground[i] * (1 - alpha(top)));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    const own = channels(getComputedStyle(element).backgroundColor);
    return alpha(own) === 1 ? own : over(own, ground(element.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || element.closest("svg, script, style, noscript") || !element.checkVisibility()) continue;
    const paper = ground(element), ink = over(channels(getComputedStyle(element).color), paper);
    const [high, low] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
    found.push([text.slice(0, 60), (high + 0.05) / (low + 0.05)]);
  }
  return found;
}
