// Runs in any browser, and from a file: says why the prover cannot run on this page, if it cannot.
(function () {
  "use strict";
  var modules = window.HTMLScriptElement && HTMLScriptElement.supports && HTMLScriptElement.supports("importmap");
  var empty = [0, 97, 115, 109, 1, 0, 0, 0];
  var problem =
    location.protocol === "file:"
      ? "Browsers run this page only from a web address, not from a file."
      : typeof WebAssembly !== "object" || !WebAssembly.validate || !WebAssembly.validate(new Uint8Array(empty))
        ? "This browser has no WebAssembly, in which the prover runs."
        : !modules || typeof Worker !== "function"
          ? "This browser is too old for the prover."
          : "";
  if (!problem) return;
  document.getElementById("problem-text").textContent = problem;
  document.getElementById("problem").hidden = false;
})();
