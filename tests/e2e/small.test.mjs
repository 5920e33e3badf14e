// On a small window nothing stands on anything else.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { example } from "./desk.mjs";
import { serve } from "./support.mjs";

const server = await serve();
after(() => server.stop());

for (const [width, height] of [[390, 844], [360, 640]]) {
  test(`the parts of the top bar stand beside each other in a window of ${width} by ${height}`, () =>
    example(server, { context: { viewport: { width, height }, reducedMotion: "reduce" } }, async (page) => {
      const boxes = await page.locator(".top :is(button, input)").evaluateAll((all) =>
        all
          .map((el) => ({ name: el.getAttribute("aria-label") ?? el.textContent, box: el.getBoundingClientRect().toJSON() }))
          .filter(({ box }) => box.width > 0),
      );
      assert.ok(boxes.length >= 9, JSON.stringify(boxes));
      // Segments of one switch share their edges.
      for (const [i, one] of boxes.entries()) {
        assert.ok(one.box.left >= 0 && one.box.right <= width, one.name);
        for (const other of boxes.slice(i + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          assert.ok(across <= 4 || down <= 4, `${one.name} and ${other.name}`);
        }
      }
      // The tools stay on the canvas: under the bar and above the drawer.
      const at = (selector) => page.locator(selector).first().boundingBox();
      const [tools, bar, drawer] = [await at(".rail-tools"), await at(".top"), await at(".drawer")];
      assert.ok(tools.y >= bar.y + bar.height && tools.y + tools.height <= drawer.y, JSON.stringify({ tools, bar, drawer }));
    }));
}
