// One slider drives the grids of all columns: each shows its last grid at or before the step.
(function () {
  const slider = document.querySelector("#slider");
  if (!slider) return;
  const columns = [...document.querySelectorAll(".columns figure")]
    .map((figure) => [...figure.querySelectorAll("img")]);
  const steps = [...new Set(columns.flat().map((image) => Number(image.dataset.step)))]
    .sort((a, b) => a - b);
  const output = document.querySelector("#step");
  slider.max = Math.max(0, steps.length - 1);
  function show() {
    const step = steps[Number(slider.value)];
    output.textContent = "generator step " + step;
    for (const images of columns) {
      let chosen = images[0];
      for (const image of images) if (Number(image.dataset.step) <= step) chosen = image;
      for (const image of images) image.hidden = image !== chosen;
    }
  }
  slider.addEventListener("input", show);
  slider.value = slider.max;
  show();
})();
