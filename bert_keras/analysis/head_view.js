(function (view) {
  "use strict";
  // The script's own parent: a copy of a cell has the same id twice.
  var script = document.currentScript;
  var root = script && script.parentNode && script.parentNode.id === view.name
    ? script.parentNode : document.getElementById(view.name);
  if (!root || root.dataset.ready) { return; }
  root.dataset.ready = "yes";

  var bytes = atob(view.weights), tokens = view.tokens, count = tokens.length;
  var layer = view.layer, head = view.head, chosen = null, kept = null;
  var right = view.side + view.gap, height = view.top + view.line * count + 8;
  var words = view.words;

  function weight(query, key) {
    return bytes.charCodeAt(((layer * view.heads + head) * count + query) * count + key) / 255;
  }
  function make(tag, parent, text) {
    var element = document.createElement(tag);
    if (text !== undefined) { element.textContent = text; }
    parent.appendChild(element);
    return element;
  }
  var holder = document.createElement("div");
  holder.innerHTML = "<svg></svg>";
  var svg = holder.firstChild, SVG = svg.namespaceURI;
  function draw(tag, attributes, parent, text) {
    var element = document.createElementNS(SVG, tag);
    for (var key in attributes) { element.setAttribute(key, attributes[key]); }
    if (text !== undefined) { element.textContent = text; }
    parent.appendChild(element);
    return element;
  }
  function middle(place) { return view.top + view.line * (place + 0.5); }

  // --- what does not change: controls and words -------------------------------------------
  root.removeChild(root.querySelector("img"));
  root.removeChild(root.querySelector("small"));
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", words.view);
  root.style.cssText = "max-width:100%;overflow-x:auto;font-size:14px;padding:2px";
  var bar = make("div", root);
  bar.style.cssText = "margin:4px 0;display:flex;gap:4px 14px;flex-wrap:wrap;align-items:center";
  function choice(label, names) {
    var outer = make("label", bar, label + " ");
    var select = make("select", outer);
    names.forEach(function (name, value) {
      make("option", select, name).value = value;
    });
    return select;
  }
  function numbers(total) {
    return Array.from({ length: total }, function (_, n) { return String(n + 1); });
  }
  var layers = choice(words.layer, numbers(view.layers));
  var heads = choice(words.head, numbers(view.heads));
  // Whatever the mouse can point at can be chosen here, so that the keyboard alone will do.
  var places = choice(words.word, [words.all]);
  [["from", words.query], ["to", words.key]].forEach(function (side) {
    var group = make("optgroup", places);
    group.label = side[1];
    tokens.forEach(function (token, n) {
      make("option", group, (n + 1) + " " + token).value = side[0] + " " + n;
    });
  });
  var help = make("div", root, words.help);
  help.style.cssText = "font-size:12px;margin:2px 0 4px";

  svg.setAttribute("width", right + view.side);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", "0 0 " + (right + view.side) + " " + height);
  svg.setAttribute("role", "img");
  svg.setAttribute("font-family", view.fonts);
  svg.style.cssText = "max-width:100%;height:auto;display:block";
  root.appendChild(svg);
  draw("rect", { width: "100%", height: "100%", fill: "#ffffff" }, svg);
  var title = draw("text", { x: 8, y: 16, "font-size": 13, "font-weight": 700, fill: view.ink }, svg);
  draw("text", { x: view.side - 8, y: 32, "font-size": 11, "text-anchor": "end", fill: view.grey },
    svg, words.query);
  draw("text", { x: right + 8, y: 32, "font-size": 11, fill: view.grey }, svg, words.key);
  var lines = draw("g", {}, svg), shares = draw("g", {}, svg), labels = [];
  var spoken = make("div", root);
  spoken.setAttribute("aria-live", "polite");
  spoken.style.cssText = "font-size:13px;min-height:1.4em;max-width:44em";

  function label(place, side) {
    var x = side === "from" ? view.side - 8 : right + 8;
    var group = draw("g", { style: "cursor:pointer" }, svg);
    var left = side === "from" ? 0 : right;
    draw("rect", { x: left, y: middle(place) - view.line / 2, width: view.side, height: view.line,
      fill: "#ffffff", "fill-opacity": 0 }, group);
    var word = draw("text", { x: x, y: middle(place) + 4.5, "font-size": view.size, fill: view.ink,
      "text-anchor": side === "from" ? "end" : "start" }, group, tokens[place]);
    if (view.segments[place]) {
      draw("text", { x: side === "from" ? 4 : right + view.side - 4, y: middle(place) + 4.5,
        "font-size": 11, fill: view.grey, "text-anchor": side === "from" ? "start" : "end" },
        group, view.segments[place]);
    }
    var me = { side: side, place: place };
    group.addEventListener("mouseenter", function () { chosen = me; paint(); });
    group.addEventListener("mouseleave", function () { chosen = kept; paint(); });
    group.addEventListener("click", function () {
      kept = kept && kept.side === side && kept.place === place ? null : me;
      chosen = kept;
      paint();
    });
    labels.push({ text: word, side: side, place: place });
  }
  tokens.forEach(function (_, place) { label(place, "from"); label(place, "to"); });

  // --- what changes: lines, shares, what is said --------------------------------------------
  function share(query, key) {
    return chosen.side === "from" ? weight(query, key) : weight(key, query);
  }
  function paint() {
    var name = (layer + 1) + "-" + (head + 1), query, key, w;
    title.textContent = words.view + " " + name;
    layers.value = layer;
    heads.value = head;
    places.value = kept ? kept.side + " " + kept.place : 0;
    lines.textContent = shares.textContent = "";
    for (query = 0; query < count; query++) {
      if (chosen && chosen.side === "from" && chosen.place !== query) { continue; }
      for (key = 0; key < count; key++) {
        w = weight(query, key);
        if ((chosen && chosen.side === "to" && chosen.place !== key) || w < view.faintest) {
          continue;
        }
        draw("line", { x1: view.side, y1: middle(query), x2: right, y2: middle(key),
          stroke: chosen ? view.orange : view.blue, "stroke-width": 0.5 + 4 * w,
          "stroke-opacity": 0.1 + 0.9 * w }, lines);
      }
    }
    labels.forEach(function (one) {
      var mine = chosen && chosen.side === one.side && chosen.place === one.place;
      one.text.setAttribute("font-weight", mine ? 700 : 400);
    });
    var said = tokens.map(function (token, place) {
      if (!chosen) {
        for (query = place, key = 0, w = 0; key < count; key++) {
          if (weight(query, key) > weight(query, w)) { w = key; }
        }
        return { w: weight(place, w), text: token + " → " + tokens[w] };
      }
      return { w: share(chosen.place, place), text: token, place: place };
    });
    if (chosen) {
      said.forEach(function (one) {
        if (one.w < 0.01) { return; }
        var other = chosen.side === "from", edge = view.segments[0] ? 20 : 4;
        draw("text", { x: other ? right + view.side - edge : edge,
          y: middle(one.place) + 4, "font-size": 11, fill: view.grey,
          "text-anchor": other ? "end" : "start" }, shares, Math.round(100 * one.w) + "%");
      });
      said = said.filter(function (one) { return one.w >= 0.05; });
      said.sort(function (a, b) { return b.w - a.w; });
    }
    var list = said.map(function (one) { return one.text + " " + Math.round(100 * one.w) + "%"; });
    var start = chosen ? tokens[chosen.place] + " " + words[chosen.side] + words.colon : "";
    spoken.textContent = chosen ? start + list.join(words.comma) : "";
    svg.setAttribute("aria-label", name + ": " + start + list.join("; "));
  }

  layers.addEventListener("change", function () { layer = Number(layers.value); paint(); });
  heads.addEventListener("change", function () { head = Number(heads.value); paint(); });
  places.addEventListener("change", function () {
    var parts = places.value.split(" ");
    kept = chosen = parts[1] ? { side: parts[0], place: Number(parts[1]) } : null;
    paint();
  });
  root.addEventListener("keydown", function (event) {
    var steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    var step = steps[event.key];
    // A list keeps its keys: the notebook around it would take them and go to another cell.
    if (event.target.tagName === "SELECT") { event.stopPropagation(); return; }
    if (!step) { return; }
    layer = (layer + step[0] + view.layers) % view.layers;
    head = (head + step[1] + view.heads) % view.heads;
    event.preventDefault();
    event.stopPropagation();
    paint();
  });
  paint();
})
