import { table } from "../../build/table.ts";
import { deployedAlarms, pagesOfOperations } from "./alarms.ts";
import { drills } from "./drills.ts";
import { startDrillWorld } from "./world.ts";

/**
 * Provokes every alarm that this machine can, and looks at the page of operations that each names. A drill shows that the metric
 * passes the threshold; for how many periods it must is the template's. Ends with 1 where an alarm would not be raised, has no
 * row, or names a page without steps. `npm run drill`.
 */
const alarms = await deployedAlarms();
const pages = pagesOfOperations();
const world = await startDrillWorld();
const rows: (readonly string[])[] = [];
try {
  for (const { name, threshold, section } of alarms) {
    const steps = pages.get(section)?.length ?? 0;
    const drill = drills[name];
    const page = `${section}, ${steps} steps`;
    let said = "NO ROW";
    if (drill && "whyNot" in drill) said = "not here";
    if (drill && "provoke" in drill) {
      const measured = await drill.provoke(world);
      said = `${measured > threshold ? "raised" : "NOT RAISED"}: ${measured} > ${threshold}`;
    }
    if (/NO/.test(said) || steps === 0) process.exitCode = 1;
    rows.push([name, said, page]);
  }
} finally {
  await world.stop();
}
console.log(table(["alarm", "drill", "page of operations"], rows));
