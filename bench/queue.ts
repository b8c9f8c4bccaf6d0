/**
 * Measures the durable queue: how fast it accepts and executes runs, how its lists slow down as it grows, the calls to
 * AWS of one run and the price of a million runs, how full its workers are, and
 * whether its counters lose endings, what it costs to decide whether a submission is accepted, which partitions its runs share, and
 * what becomes of thousands of runs a second.
 * `npm run bench:queue [throughput|listing|cost|slots|counters|admission|partitions|flow]`.
 */
import { printTable, type Row } from "./figures.ts";
import { measureAdmission } from "./queue/admission.ts";
import { measureCost } from "./queue/cost.ts";
import { measureCounters } from "./queue/counters.ts";
import { measureFlow } from "./queue/flow.ts";
import { measureListing } from "./queue/listing.ts";
import { measurePartitions } from "./queue/partitions.ts";
import { measureSlots } from "./queue/slots.ts";
import { measureThroughput } from "./queue/throughput.ts";

// Only this engine includes the capacity of indexes.
process.env.DYNAMODB_ENGINE ??= "dynamodb-local";
const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  cost: measureCost,
  slots: measureSlots,
  counters: measureCounters,
  admission: withDefaultEngine(measureAdmission),
  throughput: withDefaultEngine(measureThroughput),
  listing: withDefaultEngine(measureListing),
  partitions: withDefaultEngine(measurePartitions),
  flow: withDefaultEngine(measureFlow),
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
