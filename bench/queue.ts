/**
 * The durable queue in figures: how fast it takes and works runs, what its lists cost as it grows, what one run asks
 * of AWS and what a million runs cost. `npm run bench:queue [throughput|listing|cost]`.
 */
import { printTable, type Row } from "./figures.ts";
import { measureCost } from "./queue/cost.ts";
import { measureListing } from "./queue/listing.ts";
import { measureThroughput } from "./queue/throughput.ts";

// Only this engine tells the capacity that indexes take.
process.env.DYNAMODB_ENGINE ??= "dynamodb-local";
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  cost: measureCost,
  throughput: withDefaultEngine(measureThroughput),
  listing: withDefaultEngine(measureListing),
};

for (const [name, measure] of Object.entries(parts)) {
  if (process.argv[2] === undefined || process.argv[2] === name) printTable(await measure());
}

function withDefaultEngine(measure: () => Promise<Row[]>): () => Promise<Row[]> {
  return () => {
    delete process.env.DYNAMODB_ENGINE;
    return measure();
  };
}
