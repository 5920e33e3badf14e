// What the ruler and the charts have in common: how to come there, and that nothing leaves its place.
import assert from "node:assert/strict";
import { open, profile } from "./support.mjs";

/** The sizes and themes in which every picture has to be whole. */
export const SIZES = [["light", 1440, 900], ["dark", 1440, 900], ["light", 1024, 600], ["dark", 1024, 600], ["light", 960, 600], ["dark", 960, 600], ["light", 390, 844], ["dark", 390, 844]];

/** Runs with a consumer alone on the canvas. */
export async function alone(server, run) {
  const mine = await profile();
  try {
    const page = await mine.page();
    await open(page, server.url);
    await page.keyboard.press("u");
    await page.locator(".cv-el.cv-consumer:focus").waitFor();
    await run(page);
    mine.clean();
  } finally {
    await mine.close();
  }
}

/** G and a letter. */
export async function go(page, letter) {
  await page.keyboard.press("g");
  await page.keyboard.press(letter);
}

/** Nothing in the drawer is cut or scrolls sideways, no word of a drawing leaves it or stands on another one. */
export async function whole(page) {
  await page.evaluate(() => document.fonts.ready.then(() => true));
  const wrong = await page.evaluate(() => {
    const wrong = [];
    const body = document.querySelector(".drawer-body");
    if (body.scrollWidth > body.clientWidth + 1) wrong.push(`the panel is ${body.scrollWidth} wide in ${body.clientWidth}`);
    for (const drawing of body.querySelectorAll(".rl-plot, .ch-plot")) {
      const edge = drawing.getBoundingClientRect();
      const words = [...drawing.querySelectorAll(":scope > text, .ch-word")].map((text) => [text.textContent, text.getBoundingClientRect()]);
      words.forEach(([text, box], at) => {
        if (box.left < edge.left - 1 || box.right > edge.right + 1) wrong.push(`${text} leaves the drawing`);
        for (const [other, beside] of words.slice(0, at)) {
          if (box.left < beside.right - 1 && beside.left < box.right - 1 && box.top < beside.bottom - 3 && beside.top < box.bottom - 3) wrong.push(`${text} stands on ${other}`);
        }
      });
    }
    for (const dd of body.querySelectorAll(".facts dd")) {
      const card = dd.closest("section").getBoundingClientRect();
      if (dd.getBoundingClientRect().right > card.right + 1) wrong.push(`${dd.textContent} leaves its card`);
      for (const part of dd.querySelectorAll("button, svg")) {
        if (part.getBoundingClientRect().right > card.right + 1) wrong.push(`${dd.textContent} leaves its card`);
      }
    }
    return wrong;
  });
  assert.deepEqual(wrong, []);
}
