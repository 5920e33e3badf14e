// What a first visit downloads, compressed with brotli 11. The budget is what it shall be (350 kB apart from fonts, fonts
// at most 120 kB), the ceiling what it may not pass until the budget is met: lower it whenever something got smaller.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const budgets = { app: 350_000, fonts: 120_000 };
const ceilings = { app: 1_490_000, fonts: 120_000 };
const root = process.argv[2] ?? "dist";
const files = readdirSync(root, { recursive: true }).map(String).filter((file) => statSync(join(root, file)).isFile());
const totals = { app: 0, fonts: 0 };
for (const file of files.sort()) {
  const bytes = readFileSync(join(root, file));
  const isFont = file.endsWith(".woff2");
  // Fonts are compressed already.
  const size = isFont
    ? bytes.length
    : brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }).length;
  totals[isFont ? "fonts" : "app"] += size;
  console.log(`${String(bytes.length).padStart(9)} ${String(size).padStart(8)}  ${file}`);
}
let over = false;
for (const [part, budget] of Object.entries(budgets)) {
  const share = ((100 * totals[part]) / budget).toFixed(0);
  console.log(`${part}: ${totals[part]} of ${budget} bytes (${share} %)`);
  if (totals[part] > budget) console.log(`${part}: OVER ITS BUDGET, ceiling ${ceilings[part]} bytes`);
  over ||= totals[part] > ceilings[part];
}
if (over) {
  console.error("The download is over its ceiling: see what grew in Cargo.lock, index.html and style/.");
  process.exit(1);
}
