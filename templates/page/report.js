
(function () {
  "use strict";
  var form = document.getElementById("filter");
  var cards = Array.from(document.querySelectorAll("article.criterion"));
  var none = document.querySelector("p.none");
  var status = form.querySelector(".status");
  var texts = cards.map(function (card) { return card.textContent.toLowerCase(); });

  function chosen(name) {
    var boxes = form.querySelectorAll("input[name=" + name + "]:checked");
    return Array.from(boxes).map(function (box) { return box.value; });
  }

  function allows(values, value) { return values.length === 0 || values.includes(value); }

  function show() {
    var dimensions = chosen("dimension");
    var outcomes = chosen("outcome");
    var words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    cards.forEach(function (card, index) {
      var fits = [
        allows(dimensions, card.dataset.dimension),
        allows(outcomes, card.dataset.outcome),
        words.every(function (word) { return texts[index].includes(word); })
      ].every(Boolean);
      card.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    none.hidden = shown > 0 || cards.length === 0;
    status.textContent = status.dataset.shown.replace("#", String(shown));
  }

  form.addEventListener("input", show);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("reset", function () { setTimeout(show, 0); });
  // A link to a criterion that the filter hides shows it.
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href^='#c-'], a[href^='#c-'] *");
    if (link) { form.reset(); }
  });
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
  });
  form.hidden = false;
  show();
})();
