// Suggest this device's time zone where a form asks for one, as long as no venue brings its own.

const field = document.querySelector("[data-zone]");
const venue = field.form.elements.venue; // a venue's own form has none
const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;

function suggest() {
  if (venue?.value && field.value === mine) field.value = "";
  else if (!venue?.value) field.value ||= mine;
}

suggest();
venue?.addEventListener("change", suggest);
